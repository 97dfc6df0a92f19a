/**
 * A record whose create ended in doubt: its object may not exist. A refresh and a delete search for the object here. The next create searches for it
 * by its own ledger (create/ledger.ts).
 */
import { graceStepMs, unconfirmedNonce } from "../api";
import { waitForLateAcceptance } from "../create/post";
import { Search } from "../create/search";
import type { Found } from "../evidence/lists";
import { markerTextIn, Nonces, ownerOf, parseMarker } from "../evidence/marker";
import { dueThumbnail } from "../inputs/ownRequests";
import { inputsIn } from "../inputs/properties";
import { metaOf } from "../inputs/recordedMeta";
import { LifecycleError, messageFrom, messageOf, messages } from "../messages";
import { unconfirmedCreate } from "../operation/ownState";
import type { Subject } from "../operation/subject";
import { outputsOf } from "./complete";
import type { State } from "./lifecycle";

/** Finds the record's object; `undefined` where it surely does not exist. @throws {LifecycleError} where nobody can know whether it exists. */
async function findUnconfirmed(subject: Subject, { isRefresh = false } = {}): Promise<Found | undefined> {
    const { id, olds, operation, redactor, resource } = subject;
    const { services, signal, urn } = operation;
    const { lineage } = parseMarker(metaOf(olds).mark) ?? {};
    const { name } = resource.definition;
    const owner = { ...ownerOf(urn, name), lineage };
    const { claims, trust, userDecision } = services;
    const nonce = unconfirmedNonce(id) ?? id;
    const wanted = { startedAt: 0, ...unconfirmedCreate(metaOf(olds)), nonce };
    const object = name.toLowerCase();
    try {
        if (!trust.reaches(wanted.fingerprint ?? ""))
            throw new LifecycleError(messages.notTrusted({ object: `${name} ${nonce}` }));
        const search = new Search(subject, owner, { signal, redactor });
        // Another record may have the object: a create has adopted it and failed later, so the engine has not deleted this record.
        const isFree = ({ id }: Found) => !claims.isRecorded(id, urn) && !userDecision.leaves(id, urn);
        const find = async () => {
            const { own, kin } = await search.findOf(wanted);
            // A refresh also counts objects with another marker of this resource (`kin`): the state may be an older one that was put back, after a
            // later run had changed the marker. The next `up` asks the user about such an object.
            const free = [...own, ...(isRefresh ? kin : [])].filter(isFree);
            const found = free.find((one) => own.includes(one) || userDecision.mayAdopt(one.id, urn));
            const [other] = found === undefined ? free : [];
            if (other === undefined) return found;
            throw new LifecycleError(messages.madeForThis({ object: `${name} ${other.id}`, id: other.id }));
        };
        // While another delete of this run removes an object, it may be listed although it cannot be read. A moment later it is gone.
        const found = await find().catch(async () => {
            await services.clock.sleep(graceStepMs, signal);
            return find();
        });
        if (found !== undefined) return found;
        await waitForLateAcceptance(operation, wanted.startedAt, `checking whether the ${object} was created`);
        return await find();
    } catch (error) {
        throw new LifecycleError(messages.stillUnconfirmed({ object, error: messageOf(error) }));
    }
}

/** A refresh of a create in doubt: the state gets the object, or loses the record. Where nobody can know, a warning says so and the record stays. */
export async function readUnconfirmed(subject: Subject): Promise<State | undefined> {
    const { olds, operation, resource } = subject;
    const { definition } = resource;
    try {
        const found = await findUnconfirmed(subject, { isRefresh: true });
        if (found === undefined) {
            operation.warn(messages.neverCreated({ object: definition.name.toLowerCase() }));
            return undefined;
        }
        const { unconfirmed: _, ...meta } = metaOf(olds);
        const inputs = inputsIn(definition.inputs.shape, olds);
        const unsentRequests = dueThumbnail({ olds: {}, news: inputs });
        const { object } = found;
        meta.mark = markerTextIn(object.metadata) ?? meta.mark;
        return { id: found.id, outputs: outputsOf(definition, { object, unsentRequests, meta }, inputs) };
    } catch (error) {
        operation.warn(messageFrom(error));
        return { outputs: olds };
    }
}

/** The object of a create in doubt, to be deleted with its record; `undefined` where there is none, or a later create has decided what becomes of it. */
export async function unconfirmedToDelete(subject: Subject): Promise<Found | undefined> {
    const { handledThisRun, claims } = subject.operation.services;
    // The run that decided may have ended before this delete. Then the record of the resource's new object names the decision.
    const shown = claims.shownRecordOf(subject.operation.urn)?.olds ?? {};
    const nonce = unconfirmedNonce(subject.id) ?? "";
    const isHandled = handledThisRun.has(nonce) || new Nonces(metaOf(shown).handled).has(nonce);
    return isHandled ? undefined : findUnconfirmed(subject);
}

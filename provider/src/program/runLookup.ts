/** Runs a lookup of a dynamic program: sends the requests from the program's own process. */
import * as pulumi from "@pulumi/pulumi";
import { VideographApi } from "../api";
import type { Properties } from "../inputs/values";
import { type LookupName, lookups } from "../lookups/definitions";
import { checkedArguments, find } from "../lookups/find";
import { messages } from "../messages";
import { redactorFor } from "../secretValues/known";
import { withSecrets } from "../secretValues/marks";
import { addressWarning, explainError } from "../session/explain";
import { credentialsOf, type ResolvedSettings } from "../session/settings";
import { perRun } from "./perRun";
import { refuse } from "./refusals";

const clientsOfRun = perRun(() => new Map<string, VideographApi>());

/**
 * Runs one lookup. Every error is a RunError, which the SDK prints without its stack. `settingsOf` resolves with `undefined` while a preview does not
 * know the settings.
 */
export async function runLookup(
    name: LookupName,
    given: object,
    settingsOf: () => Promise<ResolvedSettings | undefined>,
): Promise<Properties> {
    const { args, problems } = checkedArguments(lookups[name].args, given);
    if (problems[0] !== undefined) refuse(`The arguments of ${name}`, problems[0]);
    const settings = await settingsOf();
    if (settings === undefined) throw new pulumi.RunError(messages.unknownSettings());
    try {
        const redactor = redactorFor({ inputs: lookups[name].args }, [args]);
        const warn = (message: string) => pulumi.log.warn(message);
        const found = await find(name, clientFor(settings), args, warn, { redactor });
        return withSecrets(found, lookups[name].result, pulumi.secret);
    } catch (error) {
        throw new pulumi.RunError(explainError(error, settings));
    }
}

function clientFor(settings: ResolvedSettings): VideographApi {
    const options = credentialsOf(settings);
    const key = JSON.stringify(options);
    const clients = clientsOfRun();
    const known = clients.get(key);
    if (known !== undefined) return known;
    const api = new VideographApi(options);
    clients.set(key, api);
    const warning = addressWarning(settings);
    if (warning !== undefined) void pulumi.log.info(warning);
    return api;
}

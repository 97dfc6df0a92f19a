/** Lists whose items each have a request of their own: which are sent, and what is recorded meanwhile (L4, L5, S3). */
import assert from "node:assert/strict";
import type { Definition } from "../../../provider/dist/inputs/definition.js";
import {
    type DueItem,
    dueItems,
    identityOfItems,
    itemChanges,
    removalNote,
    repeatedItems,
    settled,
    unsettled,
    unsettledUndeclared,
    withoutPending,
} from "../../../provider/dist/inputs/items.js";
import { unknownValue } from "../../../provider/dist/inputs/unknown.js";
import { contentDefinition } from "../../../provider/dist/resources/content/definition.js";

const { title, subtitle, sourceVersion } = contentDefinition.inputs;
/** Two lists, of which one has no version. */
const { versionedBy: _, ...audio } = { ...subtitle, itemKey: "language" };
const table: Definition["inputs"] = { title, subtitle, audio, sourceVersion };

const url = "https://media.example.com/a.vtt";
const item = (languageCode: string, query = "") => ({ url: `${url}${query}`, languageCode });
const track = (language: string, file = url) => ({ url: file, language });

describe("items with a request of their own", () => {
    const changes = (old: unknown, now: unknown, more: { olds?: object; oldInputs?: object; news?: object } = {}) =>
        itemChanges(table, "subtitle", {
            olds: { subtitle: old, ...more.olds },
            news: { subtitle: now, ...more.news },
            ...(more.oldInputs && { oldInputs: { ...more.oldInputs } }),
        });

    it("L5: one that is not known yet and has no key follows no recorded one", () => {
        const bare = { url };
        const unknown = { url: unknownValue };
        assert.deepEqual(changes([bare], [unknown]), { fresh: [unknown], removed: [bare], unnamed: [] });
        assert.deepEqual(changes([item("en")], [unknown]), { fresh: [unknown], removed: [item("en")], unnamed: [] });
    });

    it("L5: a query that the last run could not send is still a change", () => {
        const now = [item("en", "?s=2")];
        assert.deepEqual(changes([item("en", "?s=1")], now, { oldInputs: { subtitle: now } }).fresh, now);
    });

    it("L5: of several that lost their version, each is compared with the last run's", () => {
        const versioned = { sourceVersion: "1" };
        const lastRun = [item("en", "?s=2"), item("de", "?s=2")];
        const now = [item("en", "?s=2"), item("de", "?s=3")];
        const { fresh, removed } = changes([item("en", "?s=1"), item("de", "?s=1")], now, {
            olds: versioned,
            oldInputs: { subtitle: lastRun },
        });
        assert.deepEqual([fresh, removed], [[item("de", "?s=3")], []]);
    });

    it("sourceVersion: only the query and the user of a URL do not count", () => {
        const versioned = { olds: { sourceVersion: "1" }, news: { sourceVersion: "1" } };
        const isFresh = (old: object, now: object) => changes([old], [now], versioned).fresh.length > 0;
        const one = { ...item("en"), name: "https://a.example/?1" };
        assert.equal(isFresh(one, { ...one, url: "https://me:secret@media.example.com/a.vtt?s=1#t" }), false);
        assert.equal(isFresh(one, { ...one, name: "https://a.example/?2" }), true);
        assert.equal(isFresh(one, { ...one, supportClosedCaptions: true }), true);
        // What a later version may record.
        assert.equal(isFresh({ ...one, more: "https://a.example/?1" }, { ...one, more: "https://a.example/?2" }), true);
        assert.equal(isFresh({ ...one, url: "no URL" }, { ...one, url: "no URL at all" }), true);
        assert.equal(isFresh({ ...one, url: "no URL" }, { ...one, url: "no URL" }), false);
    });

    it("S5: what is no object is no item, and no error: the check says what is wrong with it", () => {
        const odd = [null, undefined, "en", item("en")];
        const versioned = { olds: { sourceVersion: "1" }, news: { sourceVersion: "1" } };
        assert.deepEqual(changes([item("en")], odd, versioned).fresh, [null, undefined, "en"]);
        assert.deepEqual(changes([null], [item("en")], versioned).removed, [null]);
        assert.deepEqual(repeatedItems(table, { subtitle: [null, null, "a", "a", { languageCode: 1 }] }), []);
        assert.deepEqual(repeatedItems(table, { subtitle: [{ languageCode: 1 }, { languageCode: 1 }] }), []);
    });

    it("L5: those to send are the new ones, the changed ones and those in doubt", () => {
        const recorded = { subtitle: [item("en"), item("de")], audio: [track("en")] };
        const news = { subtitle: [item("de"), item("en", "?new"), item("fr")], audio: [track("en")] };
        const due = (olds: object) => dueItems(table, { ...olds }, news).map(({ name, what }) => [name, what]);
        const en = ["subtitle", 'subtitle[1] (languageCode "en")'];
        const fr = ["subtitle", 'subtitle[2] (languageCode "fr")'];
        assert.deepEqual(due(recorded), [en, fr]);
        assert.deepEqual(due({ ...recorded, __meta: { v: 1, env: "e", unsettled: { subtitle: ["de"] } } }), [
            ["subtitle", 'subtitle[0] (languageCode "de")'],
            en,
            fr,
        ]);
        assert.deepEqual(due({ ...recorded, __meta: { v: 1, env: "e", unsettled: { audio: ["en"] } } }), [
            en,
            fr,
            ["audio", 'audio[0] (language "en")'],
        ]);
        assert.deepEqual(dueItems(table, {}, { subtitle: [item("en")] })[0]?.item, item("en"));
    });

    it("L5: one that is not known yet is not sent, and one without a key is an error that names it", () => {
        assert.deepEqual(dueItems(table, {}, { subtitle: [{ url: unknownValue }] }), []);
        const news = { subtitle: [item("en"), { url }] };
        assert.throws(() => dueItems(table, {}, news), /^LifecycleError: subtitle\[1\] needs languageCode,/);
    });

    it("S3: a key that is not a short code is not repeated", () => {
        const what = (language: string) => dueItems(table, {}, { audio: [track(language)] })[0]?.what;
        const long = "x".repeat(35);
        for (const key of ["a secret", "a b", "secret\n", `${long}x`]) assert.equal(what(key), "audio[0]");
        for (const key of ["e", "zh-Hant_2", long]) assert.equal(what(key), `audio[0] (language "${key}")`);
    });

    describe("while some are not sent", () => {
        const pending = (name: string, ...keys: string[]): DueItem[] =>
            keys.map((key) => ({ name, key, item: {}, what: key }));

        it("L4: the recorded one stands in the place of one that changes, and none in that of a new one", () => {
            const olds = { subtitle: [item("en", "?old"), item("de")] };
            const news = { title: "Two", subtitle: [item("de"), item("fr"), item("en", "?new")] };
            assert.deepEqual(withoutPending(table, olds, news, pending("subtitle", "en", "fr")), {
                title: "Two",
                subtitle: [item("de"), item("en", "?old")],
            });
            assert.deepEqual(withoutPending(table, olds, news, []), news);
        });

        it("L4: without any of them the list is as it was recorded", () => {
            const news = { subtitle: [item("en")] };
            assert.deepEqual(withoutPending(table, {}, news, pending("subtitle", "en")), { subtitle: undefined });
            assert.deepEqual(withoutPending(table, { subtitle: [] }, news, pending("subtitle", "en")), {
                subtitle: [],
            });
        });

        it("L4: a list of which nothing is pending is as it is declared, whatever is pending of another", () => {
            const olds = { subtitle: [item("en")], audio: [track("en", "https://media.example.com/old")] };
            const news = { audio: [track("en")] };
            assert.deepEqual(withoutPending(table, olds, news, pending("subtitle", "en")), {
                ...news,
                subtitle: olds.subtitle,
            });
            assert.deepEqual(withoutPending(table, olds, { subtitle: [] }, pending("audio", "en")), {
                subtitle: [],
                audio: olds.audio,
            });
            const both = { subtitle: [item("en"), { url }], audio: [track("en")] };
            assert.deepEqual(withoutPending(table, {}, both, pending("audio", "en")), { ...both, audio: undefined });
        });
    });

    describe("in doubt", () => {
        const meta = { v: 1, env: "e", marker: "m" };
        const one = (name: string, key: string) => ({ name, key, what: key });
        const en = one("subtitle", "en");
        const de = one("subtitle", "de");
        const audioEn = one("audio", "en");

        it("L4: each is noted once, by its list, until it is settled", () => {
            const both = unsettled(unsettled(unsettled(meta, en), de), en);
            assert.deepEqual(both, { ...meta, unsettled: { subtitle: ["de", "en"] } });
            const three = unsettled(both, audioEn);
            assert.deepEqual(three.unsettled, { subtitle: ["de", "en"], audio: ["en"] });
            assert.deepEqual(settled(three, en).unsettled, { subtitle: ["de"], audio: ["en"] });
            assert.deepEqual(settled(three, audioEn).unsettled, { subtitle: ["de", "en"] });
            assert.deepEqual(settled(settled(settled(three, audioEn), en), de), { ...meta, unsettled: undefined });
            assert.deepEqual(settled(meta, en), { ...meta, unsettled: undefined });
        });

        it("L4: those that are not sent again are those that are not declared", () => {
            const doubted = { ...meta, unsettled: { subtitle: ["en", "de"], audio: ["en", "a secret"] } };
            const due = (...list: { name: string; key: string; what: string }[]) =>
                list.map((doubt) => ({ ...doubt, item: {} }));
            const names = (list: DueItem[]) => unsettledUndeclared(doubted, list).map(({ what }) => what);
            assert.deepEqual(names([]), ['subtitle "en"', 'subtitle "de"', 'audio "en"', "audio"]);
            assert.deepEqual(names(due(en)), ['subtitle "de"', 'audio "en"', "audio"]);
            assert.deepEqual(names(due(audioEn, de)), ['subtitle "en"', "audio"]);
            assert.deepEqual(unsettledUndeclared(meta, []), []);
            assert.deepEqual(unsettledUndeclared(doubted, due(en, de, audioEn)), [
                { name: "audio", key: "a secret", what: "audio" },
            ]);
        });
    });

    it("L2: a create is known by its items, whose queries do not count where there is a version", () => {
        const inputs = { subtitle: [item("en", "?s=1")], audio: [track("en", `${url}?s=1`)] };
        assert.deepEqual(identityOfItems(table, "subtitle", inputs), inputs.subtitle);
        const versioned = { ...inputs, sourceVersion: "1" };
        assert.deepEqual(identityOfItems(table, "subtitle", versioned), [item("en")]);
        assert.deepEqual(identityOfItems(table, "audio", versioned), inputs.audio);
        assert.equal(identityOfItems(table, "subtitle", { sourceVersion: "1" }), undefined);
        assert.equal(identityOfItems(table, "audio", { audio: "a" }), "a");
    });

    it("S5: a repeated key is a problem by its list, whatever its case", () => {
        const repeated = (news: object, olds?: object) => repeatedItems(table, { ...news }, { ...olds });
        assert.deepEqual(
            repeated({ subtitle: [item("en"), item("EN")], audio: [track("en"), track("de"), track("de")] }),
            [
                { input: "subtitle", key: "languageCode", item: "subtitle[1].languageCode", first: "subtitle[0]" },
                { input: "audio", key: "language", item: "audio[2].language", first: "audio[1]" },
            ],
        );
        assert.deepEqual(repeated({ subtitle: [item("en")], audio: [track("en")] }), []);
        const twice = { subtitle: [item("en"), item("en")] };
        assert.equal(repeated(twice, { subtitle: [item("en"), item("de")] }).length, 1);
        assert.deepEqual(repeated(twice, { subtitle: [item("EN"), item("en")] }), []);
        // The Kelvin sign is a capital k of which the small letter is an ordinary one.
        assert.equal(repeated({ subtitle: [item("k"), item("\u212a")] }).length, 1);
    });

    it("L5: the row says which languages are gone, and quotes nothing but short codes", () => {
        const note = (old: unknown, now: unknown) =>
            removalNote(table, "subtitle", { olds: { subtitle: old }, news: { subtitle: now } }, "Content 1") ?? "";
        assert.match(
            note([item("en")], []),
            /^subtitle: the program no longer declares languageCode "en",.* Content 1 is replaced/,
        );
        assert.match(note([item("en"), item("de")], []), /no longer declares languageCode "en", "de",/);
        assert.match(note([item("en"), item("a secret")], []), /no longer declares languageCode "en",/);
        assert.match(note([item("a secret")], []), /no longer declares an earlier item,/);
        assert.match(note([{ url }], []), /no longer declares an earlier item,/);
        assert.match(
            note([item("en"), item("de")], unknownValue),
            /no longer declares languageCode "en", "de" \(as far as is known yet\),/,
        );
        assert.match(note([item("en")], [item("en"), item("de"), { url }]), /^subtitle\[2\] has no languageCode/);
    });

    it("an input that is no such list needs no note", () => {
        assert.equal(removalNote(table, "title", { olds: { title: "a" }, news: {} }, "Content 1"), undefined);
        assert.equal(removalNote(table, "status", { olds: {}, news: {} }, "Content 1"), undefined);
    });
});

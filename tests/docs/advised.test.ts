/** Every command that a message advises is run by a test, in the situation that prints it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { texts as commandTexts } from "../../provider/dist/cli/messages.js";
import * as catalogue from "../../provider/dist/messages/catalogue.js";
import { commandsIn } from "../support/advised.ts";
import { repository } from "./markdown.ts";

const inLife = "tests/unit/messages/advised.test.ts";
const taking = "tests/e2e/advisedTaking.test.ts";

const inOneLife = Object.fromEntries(
    [
        "adopted",
        "allNotFound",
        "attemptsFailed",
        "clipFailed",
        "contentFailed",
        "contentVanished",
        "createTimedOut",
        "createUnknown",
        "forgetEntries",
        "heldElsewhere",
        "itemNotSet",
        "itemRefused",
        "libraryGone",
        "livestreamUnread",
        "madeForThis",
        "neverCreated",
        "notFoundButListed",
        "notFoundUnconfirmed",
        "notTheSame",
        "notTrusted",
        "notUpdatable",
        "notUpdated",
        "refusedCredentials",
        "refusedForeign",
        "refusedLostMachine",
        "refusedUnread",
        "searchFailed",
        "sourceFailed",
        "unconfirmedNotUpdated",
        "unconfirmedObject",
        "unconfirmedSearched",
    ].map((name) => [name, inLife]),
);

/** It says what a command does, and advises none. */
const saysOnly = ["origins.credentials"];

/** Where the commands of each message are run, by the message's name; of a text that is part of messages, by one of their codes. */
const runs: Record<string, string> = {
    ...inOneLife,
    adoptAll: taking,
    changedHands: taking,
    leaveAll: taking,
    managedElsewhere: taking,
    importIdUnknown: taking,
    "moves.fromStack": `${taking} VG6004`,
    "advice.awaited": `${inLife} VG4003`,
    "advice.kept": `${inLife} VG5208`,
    "replacements.ofEntry": `${inLife} VG3023`,
    "replacements.ofResource": `${inLife} VG3023`,
    entriesUnknown: "tests/cli/orphans.test.ts",
    markerNotKept: "tests/unit/cli/probe.test.ts",
    noPlan: "tests/cli/orphans.test.ts",
    notAllReady: "tests/e2e/readiness.test.ts",
    ownStateUnread: "tests/e2e/lawOwnState.test.ts",
    pendingCreates: "tests/e2e/cancelledJob.test.ts",
    probeRefused: "tests/cli/probe.test.ts",
    stackInUse: "tests/cli/orphans.test.ts",
};

/** The messages of the catalogues, and the texts that stand inside them, as `moves.here`. */
function allTexts(): [name: string, text: string][] {
    const parts = Object.entries(catalogue).flatMap(([group, value]) => {
        if (typeof value !== "object" || group === "texts" || group === "messages") return [];
        return Object.entries(value).map(([name, text]): [string, string] => [
            `${group}.${name}`,
            typeof text === "function" ? String((text as (...holes: string[]) => string)("<a>", "<b>")) : String(text),
        ]);
    });
    return [...Object.entries({ ...catalogue.texts, ...commandTexts }), ...parts];
}

const codeOf = (text: string) => /\[(VG\d{4})\](?:\{list\})?$/.exec(text)?.[1];

describe("The commands that messages advise", () => {
    const advising = allTexts().filter(([name, text]) => commandsIn(text).length > 0 && !saysOnly.includes(name));

    it("are all in the table, and nothing else is", () => {
        assert.ok(advising.length > 40);
        assert.deepEqual(advising.map(([name]) => name).sort(), Object.keys(runs).sort());
    });

    for (const [name, text] of advising)
        it(`of ${name} are taken from what is printed, and run`, () => {
            const [file = "", code = codeOf(text) ?? ""] = (runs[name] ?? "").split(" ");
            const source = readFileSync(join(repository, file), "utf8");
            assert.match(source, /\b(follow|advised)\(/);
            assert.ok(source.includes(`"${code}`), `${file} does not run what ${code} advises`);
        });
});

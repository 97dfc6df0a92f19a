/**
 * Inputs as other people write them, over all kinds and both faces' checks: with values that are unknown, null, undefined or secret, and with
 * Outputs in plain strings (S5, D6). Each is a valid program with one value of it replaced, at whatever place. Over gRPC: tests/native/anyInputs.test.ts.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Adapter } from "../../../provider/dist/dynamic/adapter.js";
import { hasUnknown, unknownValue } from "../../../provider/dist/inputs/unknown.js";
import { resourceTypes } from "../../../provider/dist/resources/index.js";
import { ResourceHost } from "../../../provider/dist/session/resourceHost.js";
import { at, kinds, outputTexts, type Place, placesIn, replaced, validInputs } from "../../support/anyInputs.ts";
import { Machine, type Properties, urnOf } from "../../support/machine.ts";

const runs = { numRuns: 100 };

for (const kind of kinds)
    describe(`the inputs of a ${kind}, whatever they are`, function () {
        this.timeout(60_000);
        const { session } = new Machine().start();
        const host = new ResourceHost(session, resourceTypes[kind].lifecycle);
        const adapter = new Adapter(session, kind);
        const isLibrary = kind === "ContentLibrary";
        let count = 0;

        /** As the faces are asked, each time for another resource. */
        const check = async (news: Properties) => {
            const urn = urnOf(`one-${++count}`, kind);
            const { inputs, problems } = await host.check({ urn, news });
            const dynamic = await adapter.check({}, { ...news, __urn: `${urn}-dynamic` });
            assert.deepEqual(
                (dynamic.failures ?? []).map(({ property, reason }) => [property, reason]),
                problems.map((problem) => ["", problem]),
            );
            return { urn, inputs, problems };
        };
        const somewhere = (isPlace: (place: Place) => boolean) =>
            validInputs(kind)
                .filter((inputs) => placesIn(inputs).some(isPlace))
                .chain((inputs) => {
                    const places = placesIn(inputs).filter(isPlace);
                    return fc.record({ inputs: fc.constant(inputs), place: fc.constantFrom(...places) });
                });

        it("pass the check where they are valid", () =>
            fc.assert(
                fc.asyncProperty(validInputs(kind), async (inputs) => {
                    assert.deepEqual((await check(inputs)).problems, []);
                }),
                runs,
            ));

        it("pass with a value that is not known yet, and then may be anything", () =>
            fc.assert(
                fc.asyncProperty(
                    somewhere(() => true),
                    async ({ inputs, place }) => {
                        const news = replaced(inputs, place, unknownValue);
                        const { urn, problems, inputs: checked } = await check(news);
                        assert.deepEqual(problems, []);
                        assert.ok(hasUnknown(checked));
                        if (isLibrary) return;
                        const { inputs: olds } = await host.check({ urn, news: inputs });
                        const change = {
                            urn,
                            id: "an-id",
                            olds: { ...olds, status: "Ready", contents: [] },
                            news: checked,
                        };
                        // What only this package acts on decides nothing; nor does a source that has a version.
                        const isVersioned = "sourceVersion" in inputs && place.path[0] === "content";
                        if (place.path[0] === "waitForReady" || isVersioned) return;
                        assert.notEqual((await host.diff({ ...change, oldInputs: olds })).kind, "none");
                    },
                ),
                runs,
            ));

        it("are as without a property that is null", () =>
            fc.assert(
                fc.asyncProperty(
                    // An entry of a library that is null is refused: one that is not declared is deleted.
                    somewhere(({ path }) => typeof path.at(-1) === "string" && !(isLibrary && path.length === 2)),
                    async ({ inputs, place }) => {
                        const withNull = await check(replaced(inputs, place, null));
                        const without = await check(replaced(inputs, place, undefined));
                        assert.deepEqual(withNull.problems, without.problems);
                    },
                ),
                runs,
            ));

        it("are refused with the text of an Output, whatever language made it, at its place and without a quotation", () =>
            fc.assert(
                fc.asyncProperty(
                    somewhere(({ isText }) => isText),
                    fc.constantFrom(...outputTexts),
                    fc.constantFrom(
                        (text: string) => text,
                        (text: string) => `Teaser of ${text}`,
                        (text: string) => `https://media.example.com/${text}.mp4`,
                        (text: string) => new URL(text, "https://media.example.com").href,
                    ),
                    async ({ inputs, place }, [text, fix], written) => {
                        const { problems } = await check(replaced(inputs, place, written(text)));
                        const [problem = "nothing is wrong", ...more] = problems;
                        assert.match(problem, /VG2041/);
                        assert.ok(problem.includes(fix), problem);
                        assert.ok(problem.startsWith(at(place.path, kind)), problem);
                        assert.deepEqual(more, []);
                        assert.ok(!problems.join().includes(text));
                    },
                ),
                runs,
            ));

        if (kind !== "ContentReadiness")
            it("are refused with the text of an Output in a name of theirs", () =>
                fc.assert(
                    fc.asyncProperty(
                        somewhere(({ isMap }) => isMap),
                        fc.constantFrom(...outputTexts),
                        async ({ inputs, place }, [text]) => {
                            const map = place.value as Properties;
                            const [value = {}] = Object.values(map);
                            const { problems } = await check(replaced(inputs, place, { [text]: value }));
                            assert.equal(problems.length, 1);
                            assert.match(problems[0] ?? "", /^.*a key of (metadata|contents) .*VG2041/);
                        },
                    ),
                    { numRuns: 50 },
                ));
    });

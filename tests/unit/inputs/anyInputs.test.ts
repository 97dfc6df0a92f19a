/**
 * Inputs as other people write them, over all kinds and both faces' checks: with values that are unknown, null, undefined or secret, and with
 * Outputs in plain strings (S5, D6). Each is a valid program with one value of it replaced, at whatever place. Over gRPC: tests/native/plugin.test.ts.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Adapter } from "../../../provider/dist/dynamic/adapter.js";
import { hasUnknown, unknownValue } from "../../../provider/dist/inputs/values.js";
import { at, kinds, outputTexts, type Place, placesIn, replaced, validInputs } from "../../support/anyInputs.ts";
import { Machine, type Properties, urnOf } from "../../support/machine.ts";

for (const kind of kinds)
    describe(`the inputs of a ${kind}, whatever they are`, function () {
        this.timeout(60_000);
        /** Each is a property of one argument. */
        const holds = <T>(inputs: fc.Arbitrary<T>, isTrue: (one: T) => Promise<void>) =>
            fc.assert(fc.asyncProperty(inputs, isTrue), { numRuns: 100 });
        const process = new Machine().start();
        const host = process.host(kind);
        const adapter = new Adapter(process.session, kind);
        const isLibrary = kind === "ContentLibrary";
        let count = 0;

        /** As the faces are asked, each time for another resource. */
        const check = async (news: Properties) => {
            const urn = urnOf(`one-${++count}`, kind);
            const { inputs, problems } = await host.check({ urn, news });
            const dynamic = await adapter.check({}, { ...news, __urn: `${urn}-dynamic` });
            const failures = problems.map((reason) => ({ property: "", reason }));
            assert.deepEqual(dynamic.failures ?? [], failures);
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
            holds(validInputs(kind), async (inputs) => {
                assert.deepEqual((await check(inputs)).problems, []);
            }));

        it("pass with a value that is not known yet, and then may be anything", () =>
            holds(
                somewhere(() => true),
                async ({ inputs, place }) => {
                    const { urn, problems, inputs: news } = await check(replaced(inputs, place, unknownValue));
                    assert.deepEqual(problems, []);
                    assert.ok(hasUnknown(news));
                    if (isLibrary) return;
                    const { inputs: oldInputs } = await host.check({ urn, news: inputs });
                    const olds = { ...oldInputs, status: "Ready", contents: [] };
                    // What only this package acts on decides nothing; nor does a source that has a version.
                    const isVersioned = "sourceVersion" in inputs && place.path[0] === "content";
                    if (place.path[0] === "waitForReady" || isVersioned) return;
                    assert.notEqual((await host.diff({ urn, id: "an-id", olds, oldInputs, news })).kind, "none");
                },
            ));

        it("are as without a property that is null", () =>
            holds(
                // An entry of a library that is null is refused: one that is not declared is deleted.
                somewhere(({ path }) => typeof path.at(-1) === "string" && !(isLibrary && path.length === 2)),
                async ({ inputs, place }) => {
                    const [withNull, without] = [null, undefined].map((none) => check(replaced(inputs, place, none)));
                    assert.deepEqual((await withNull)?.problems, (await without)?.problems);
                },
            ));

        const writings = [
            (text: string) => text,
            (text: string) => `Teaser of ${text}`,
            (text: string) => `https://media.example.com/${text}.mp4`,
            (text: string) => new URL(text, "https://media.example.com").href,
        ];
        const texts = fc.constantFrom(...outputTexts);
        const inText = somewhere(({ isText }) => isText);
        it("are refused with the text of an Output, whatever language made it, at its place and without a quotation", () =>
            holds(
                fc.tuple(inText, texts, fc.constantFrom(...writings)),
                async ([{ inputs, place }, [text, fix], written]) => {
                    const { problems } = await check(replaced(inputs, place, written(text)));
                    const [problem = "nothing is wrong", ...more] = problems;
                    assert.match(problem, /VG2041/);
                    assert.ok(problem.includes(fix) && problem.startsWith(at(place.path, kind)), problem);
                    assert.deepEqual(more, []);
                    assert.ok(!problems.join().includes(text));
                },
            ));

        const inMap = somewhere(({ isMap }) => isMap);
        if (kind !== "ContentReadiness")
            it("are refused with the text of an Output in a name of theirs", () =>
                holds(fc.tuple(inMap, texts), async ([{ inputs, place }, [text]]) => {
                    const [value = {}] = Object.values(place.value as Properties);
                    const { problems } = await check(replaced(inputs, place, { [text]: value }));
                    assert.equal(problems.length, 1);
                    assert.match(problems[0] ?? "", /^.*a key of (metadata|contents) .*VG2041/);
                }));
    });

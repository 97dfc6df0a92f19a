/** S3, S5: the inputs of any kind, with values that are secret or unknown, checked by the plugin's process over gRPC. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { hasUnknown } from "../../provider/dist/inputs/values.js";
import { kinds, placesIn, replaced, validInputs } from "../support/anyInputs.ts";
import type { Properties } from "../support/machine.ts";
import { PluginProcess, reasonsOf } from "../support/pluginProcess.ts";

const signature = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const secretOf = (value: unknown) => ({ [signature]: secretSignature, value });
/** How the engine sends a secret value. */
const secrets = [secretOf, (value: unknown) => secretOf(secretOf(value))];
/** One of the engine's for each type, and an Output without a value. */
const unknowns = [
    ...["04da6b54-80e4-46f7-96ec-b56ff0331ba9", "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7"],
    ...["3eeb2bf0-c639-47a8-9e75-3b44932eb421", "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2"],
    ...["dd056dcd-154b-4c76-9bd3-c8f88648b5ff", { [signature]: outputSignature }],
];
const runs = { numRuns: 10 };

describe("Inputs of any kind, to the plugin's process", () => {
    let home: string;
    let plugin: PluginProcess;
    let count = 0;

    before(async () => {
        home = await mkdtemp(join(tmpdir(), "videograph-inputs-"));
        plugin = await PluginProcess.start(home);
        await plugin.call("configure", { args: { accessTokenId: "id", secretKey: "key" } });
    });
    after(async () => {
        await plugin?.stop();
        await rm(home, { recursive: true, force: true });
    });

    for (const kind of kinds) {
        const check = async (news: unknown) => {
            const urn = `urn:pulumi:dev::shop::videograph:index:${kind}::one-${++count}`;
            const answer = await plugin.call("check", { urn, news });
            return { inputs: answer.getInputs().toJavaScript() as Properties, problems: reasonsOf(answer) };
        };
        const somewhere = validInputs(kind).chain((inputs) =>
            fc.record({ inputs: fc.constant(inputs), place: fc.constantFrom(...placesIn(inputs)) }),
        );

        it(`stay secret, and are otherwise as they were: ${kind}`, () =>
            fc.assert(
                fc.asyncProperty(somewhere, fc.constantFrom(...secrets), async ({ inputs, place }, secret) => {
                    const open = await check(inputs);
                    const { inputs: hidden, problems } = await check(replaced(inputs, place, secret(place.value)));
                    assert.deepEqual(problems, []);
                    assert.deepEqual(plain(hidden), plain(open.inputs));
                    assert.ok(isSecretAt(hidden, place.path), "it is plain now");
                }),
                runs,
            ));

        it(`are unknown in whatever form the engine sends it: ${kind}`, () =>
            fc.assert(
                fc.asyncProperty(somewhere, fc.constantFrom(...unknowns), async ({ inputs, place }, unknown) => {
                    const { inputs: checked, problems } = await check(replaced(inputs, place, unknown));
                    assert.deepEqual(problems, []);
                    assert.ok(hasUnknown(checked));
                }),
                runs,
            ));
    }
});

/** Without wrappers and without the hidden inputs. */
function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    if (signature in value) return plain((value as Properties).value);
    const shown = Object.entries(value).filter(([key]) => key !== "__attempt");
    return Object.fromEntries(shown.map(([key, item]) => [key, plain(item)]));
}

function isSecretAt(value: unknown, path: readonly (string | number)[]): boolean {
    if (typeof value !== "object" || value === null) return false;
    if ((value as Properties)[signature] === secretSignature) return true;
    const [key = "", ...rest] = path;
    return path.length > 0 && isSecretAt((value as Properties)[key], rest);
}

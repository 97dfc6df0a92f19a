/**
 * S3 as a table: every input × how it becomes a secret × what the CLI does and writes × the ways to register a resource:
 *
 *     npx mocha tests/secrets/main.ts                  about a dozen resources a face
 *     SECRETS=each npx mocha tests/secrets/main.ts     a resource of its own for each input
 *
 * Unfinished: no face has been seen passing to its end, so it is no part of `npm test` yet.
 */
import { useTestbed } from "../support/testbed.ts";
import { faces, Table } from "./table.ts";

const each = process.env.SECRETS === "each";

describe("The table of secrets (S3)", function () {
    this.timeout(each ? 1_800_000 : 900_000);
    const testbed = useTestbed({ processingTimeMs: 20 });

    for (const face of faces) {
        it(`${face}: no secret is on the screen, in the events or in the state`, async () => {
            await new Table(testbed, face, { each }).live();
        });
    }
});

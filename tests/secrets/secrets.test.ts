/**
 * S3 as a table: every input × how it becomes a secret × what the CLI does and writes × the ways to register a resource. `npm run test:secrets` gives each
 * input a resource of its own.
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

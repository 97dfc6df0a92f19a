/** A report of `npx pulumi-videograph probe`: the behavior of a real account, as variants of the emulator. */
import { z } from "zod";
import { readJsonFile } from "./jsonFile";

const reportSchema = z.object({ version: z.literal(1), variants: z.record(z.string(), z.unknown()) });

/** The variants that the report sets. @throws when the file is not such a report. */
export function readContractReport(path: string): Record<string, unknown> {
    return readJsonFile("--contract", path, reportSchema).variants;
}

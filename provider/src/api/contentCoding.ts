/** Content codings: some gateways compress every answer, although none was asked for. */
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { undecoded } from "../messages";
import { ConnectionError } from "./errors";
import { maxBodyBytes } from "./limits";

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const inflate: Decoder = promisify(zlib.inflate);
const inflateRaw: Decoder = promisify(zlib.inflateRaw);
/** By the name of the coding, in the order of how common they are. */
const decoders: Readonly<Record<string, Decoder>> = {
    gzip: promisify(zlib.gunzip),
    "x-gzip": promisify(zlib.gunzip),
    br: promisify(zlib.brotliDecompress),
    // Some servers leave out the header of the format.
    deflate: (body, options) => ((body[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(body, options),
    // Only newer versions of Node have it.
    zstd: (body, options) => promisify(zlib.zstdDecompress)(body, options),
    identity: async (body) => body,
};

/** The body without the codings of the header `Content-Encoding`, which are in the order in which they were applied. @throws {ConnectionError} */
export async function decoded(body: Buffer, header: string | string[] | undefined): Promise<Buffer> {
    const codings = String(header ?? "")
        .toLowerCase()
        .split(",")
        .map((coding) => coding.trim())
        .filter((coding) => coding !== "");
    let result = body;
    for (const coding of result.length === 0 ? [] : codings.reverse())
        try {
            const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
            if (decoder === undefined) throw new Error("unknown");
            result = await decoder(result, { maxOutputLength: maxBodyBytes });
        } catch (error) {
            const code = error instanceof Error && "code" in error ? String(error.code) : "an unknown coding";
            throw new ConnectionError(undecoded(`${coding}: ${code}`), "ambiguous");
        }
    return result;
}

/** Content codings: some gateways compress every answer, although none was asked for. */
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { maxBodyBytes } from "./limits";

/** A body that cannot be decoded. */
export class CodingError extends Error {
    constructor(
        readonly coding: string,
        readonly code: string,
    ) {
        super(`${coding}: ${code}`);
    }
}

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const inflate: Decoder = promisify(zlib.inflate);
const inflateRaw: Decoder = promisify(zlib.inflateRaw);
const gunzip: Decoder = promisify(zlib.gunzip);
/** By the name of the coding, in the order of how common they are. */
const decoders: Readonly<Record<string, Decoder>> = {
    gzip: gunzip,
    "x-gzip": gunzip,
    br: promisify(zlib.brotliDecompress),
    // Some servers leave out the header of the format.
    deflate: (body, options) => ((body[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(body, options),
    // Only newer versions of Node have it.
    zstd: (body, options) => promisify(zlib.zstdDecompress)(body, options),
    identity: async (body) => body,
};

/** The body without the codings of the header `Content-Encoding`, which are in the order in which they were applied. */
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
            throw new CodingError(coding, code);
        }
    return result;
}

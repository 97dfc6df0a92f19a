/** Content codings: some gateways compress every answer, although none was asked for. */
import * as zlib from "node:zlib";
import { undecoded } from "../messages";
import { ConnectionError } from "./errors";
import { maxBodyBytes } from "./limits";

type Decoder = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

const asItIs: Decoder = (body) => body;
const decoders = new Map<string, Decoder>([
    ["", asItIs],
    ["identity", asItIs],
    ["gzip", zlib.gunzipSync],
    ["x-gzip", zlib.gunzipSync],
    ["br", zlib.brotliDecompressSync],
    // Some servers leave out the header of the format.
    ["deflate", (body, options) => ((body[0] ?? 0) % 16 === 8 ? zlib.inflateSync : zlib.inflateRawSync)(body, options)],
    // Older versions of Node have none.
    ["zstd", zlib.zstdDecompressSync],
]);

/** The body without the codings of the header `Content-Encoding`, which are in the order in which they were applied. @throws {ConnectionError} */
export function decoded(body: Buffer, header: string | string[] = ""): Buffer {
    if (body.length === 0) return body;
    return String(header)
        .toLowerCase()
        .split(",")
        .reduceRight((bytes, name) => {
            const coding = name.trim();
            const decode = decoders.get(coding);
            try {
                if (decode === undefined) throw new Error("unknown");
                return decode(bytes, { maxOutputLength: maxBodyBytes });
            } catch (error) {
                const code = error instanceof Error && "code" in error ? String(error.code) : "an unknown coding";
                throw new ConnectionError(undecoded(`${coding}: ${code}`), "ambiguous");
            }
        }, body);
}

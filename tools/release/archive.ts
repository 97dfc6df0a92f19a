/** Archives whose bytes depend on their files alone: no times, no owners, in the order of the names. */
import { gzipSync } from "node:zlib";

export interface ArchiveFile {
    readonly name: string;
    readonly content: Buffer;
    readonly executable?: boolean;
}

const block = 512;

/** The bytes of a .tar.gz. */
export function archiveOf(files: readonly ArchiveFile[]): Buffer {
    const entries = [...files].sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap(entryOf);
    const packed = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * block)]));
    // gzip notes the system that it ran on.
    packed[9] = 255;
    return packed;
}

function entryOf({ name, content, executable = false }: ArchiveFile): Buffer[] {
    const header = Buffer.alloc(block);
    const octal = (value: number, offset: number, length: number) =>
        header.write(`${value.toString(8).padStart(length - 1, "0")}\0`, offset, "ascii");
    if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for an archive`);
    header.write(name, 0);
    octal(executable ? 0o755 : 0o644, 100, 8);
    octal(0, 108, 8);
    octal(0, 116, 8);
    octal(content.length, 124, 12);
    octal(0, 136, 12);
    header.write("        0", 148, "ascii");
    header.write("ustar\x0000", 257, "ascii");
    octal(
        header.reduce((sum, byte) => sum + byte, 0),
        148,
        7,
    );
    return [header, content, Buffer.alloc((block - (content.length % block)) % block)];
}

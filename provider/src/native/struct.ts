/**
 * `google.protobuf.Struct` that keeps plain values, to save memory: Google's class makes an object of every value, hundreds of thousands for a
 * library of 10,000 contents. In the plugin, tools/plugin/build.ts replaces Google's class by this one.
 */
import { type BinaryReader, BinaryWriter, Message } from "google-protobuf";
import type { Properties } from "../inputs/values";

export class Struct extends Message {
    readonly #values: Properties;

    constructor(values: Properties = {}) {
        super();
        // Message's methods need its array of fields. It stays empty: the values are in `#values`.
        Message.initialize(this, [], 0, -1, null, null);
        this.#values = values;
    }

    static fromJavaScript(values: Properties): Struct {
        return new Struct(values);
    }

    toJavaScript(): Properties {
        return this.#values;
    }

    toObject(): Properties {
        return this.#values;
    }

    serializeBinary(): Uint8Array {
        return bytesOf(this.#values);
    }

    static override deserializeBinaryFromReader(struct: Struct, reader: BinaryReader): Struct {
        readParts(struct.#values, reader);
        return struct;
    }

    static override serializeBinaryToWriter(struct: Struct, writer: BinaryWriter): void {
        writeParts(struct.#values, writer);
    }
}

/** A value of a list, or a value of an object with its key. */
interface Entry {
    key?: string;
    value: unknown;
}

/** Reads the fields of an object, or the items of a list. */
function readParts(parts: Properties | unknown[], reader: BinaryReader): void {
    while (reader.nextField()) {
        const entry: Entry = { value: null };
        reader.readMessage(entry, Array.isArray(parts) ? readValue : readEntry);
        const { key = "", value } = entry;
        if (Array.isArray(parts)) parts.push(value);
        // An assignment to `__proto__` would set the object's prototype, so that key is defined in the next line.
        else if (key !== "__proto__") parts[key] = value;
        else Object.defineProperty(parts, key, { value, enumerable: true });
    }
}

function readEntry(entry: Entry, reader: BinaryReader): void {
    while (reader.nextField()) {
        if (reader.getFieldNumber() === 1) entry.key = reader.readString();
        else reader.readMessage(entry, readValue);
    }
}

/** Reads a `google.protobuf.Value`. The field's number is the type: 2 is a number, 3 a text, 4 a boolean, 5 an object, 6 a list. */
function readValue(entry: Entry, reader: BinaryReader): void {
    while (reader.nextField()) {
        const field = reader.getFieldNumber();
        if (field === 2) entry.value = reader.readDouble();
        else if (field === 3) entry.value = textOf(reader.readBytes());
        else if (field === 4) entry.value = reader.readBool();
        else if (field === 5 || field === 6) {
            const parts = field === 5 ? {} : [];
            entry.value = parts;
            reader.readMessage(parts, readParts);
        } else reader.skipField();
    }
}

/** Returns the bytes as a text. Google's `readString` would make an array of all characters, and the record of a library is one text of megabytes. */
function textOf({ buffer, byteOffset, length }: Uint8Array): string {
    return Buffer.from(buffer, byteOffset, length).toString();
}

function writeParts(parts: object, writer: BinaryWriter): void {
    if (Array.isArray(parts)) for (const value of parts) writer.writeMessage(1, { value }, writeValue);
    else for (const [key, value] of Object.entries(parts)) writer.writeMessage(1, { key, value }, writeEntry);
}

function writeEntry({ key, value }: Entry, writer: BinaryWriter): void {
    writer.writeString(1, key);
    writer.writeMessage(2, { value }, writeValue);
}

/**
 * Returns the bytes of an object or a list. Each gets its own writer: a writer keeps every byte as a number in an array until its end, which takes
 * many times the memory.
 */
function bytesOf(parts: object): Uint8Array {
    const writer = new BinaryWriter();
    writeParts(parts, writer);
    return writer.getResultBuffer();
}

function writeValue({ value }: Entry, writer: BinaryWriter): void {
    if (typeof value === "number") writer.writeDouble(2, value);
    else if (typeof value === "string") writer.writeBytes(3, Buffer.from(value));
    else if (typeof value === "boolean") writer.writeBool(4, value);
    else if (typeof value === "object" && value !== null)
        writer.writeBytes(Array.isArray(value) ? 6 : 5, bytesOf(value));
    else writer.writeEnum(1, 0);
}

/**
 * `google.protobuf.Struct` that keeps plain values, to save memory: Google's class makes an object of every value, and a library of 10,000 contents has
 * hundreds of thousands. In the plugin, tools/plugin/build.ts replaces Google's class by this one.
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
        return bytesOf(this.#values, writeFields);
    }

    static override deserializeBinaryFromReader(struct: Struct, reader: BinaryReader): Struct {
        readFields(struct.#values, reader);
        return struct;
    }

    static override serializeBinaryToWriter(struct: Struct, writer: BinaryWriter): void {
        writeFields(struct.#values, writer);
    }
}

/** A value in a list, or in an object, where it has a key. */
interface Entry {
    key?: string;
    value: unknown;
}

function readFields(values: Properties, reader: BinaryReader): void {
    while (reader.nextField()) {
        const { key = "", value } = entryBy(reader, readEntry);
        // Assigning `__proto__` would set the object's prototype.
        if (key !== "__proto__") values[key] = value;
        else Object.defineProperty(values, key, { value, enumerable: true });
    }
}

function readItems(items: unknown[], reader: BinaryReader): void {
    while (reader.nextField()) items.push(entryBy(reader, readValue).value);
}

function entryBy(reader: BinaryReader, read: (entry: Entry, reader: BinaryReader) => void): Entry {
    const entry: Entry = { value: null };
    reader.readMessage(entry, read);
    return entry;
}

function readEntry(entry: Entry, reader: BinaryReader): void {
    while (reader.nextField()) {
        if (reader.getFieldNumber() === 1) entry.key = reader.readString();
        else reader.readMessage(entry, readValue);
    }
}

/** Reads a `google.protobuf.Value`: 2 is a number, 3 a text, 4 a boolean, 5 an object, 6 a list. */
function readValue(entry: Entry, reader: BinaryReader): void {
    while (reader.nextField()) {
        const field = reader.getFieldNumber();
        if (field === 2) entry.value = reader.readDouble();
        else if (field === 3) entry.value = textOf(reader.readBytes());
        else if (field === 4) entry.value = reader.readBool();
        else if (field === 5 || field === 6) {
            const parts = field === 5 ? {} : [];
            entry.value = parts;
            reader.readMessage(parts, field === 5 ? readFields : readItems);
        } else reader.skipField();
    }
}

/** The text of these bytes. Google's `readString` makes an array of all characters, and the record of a library is one text of megabytes. */
function textOf({ buffer, byteOffset, length }: Uint8Array): string {
    return Buffer.from(buffer, byteOffset, length).toString();
}

function writeFields(values: Properties, writer: BinaryWriter): void {
    for (const [key, value] of Object.entries(values)) writer.writeMessage(1, { key, value }, writeEntry);
}

function writeEntry({ key, value }: Entry, writer: BinaryWriter): void {
    writer.writeString(1, key);
    writer.writeMessage(2, { value }, writeValue);
}

function writeItems(items: unknown[], writer: BinaryWriter): void {
    for (const value of items) writer.writeMessage(1, { value }, writeValue);
}

/** The bytes of one part, by a writer of its own: a writer keeps each byte as a number in an array until its end, many times the size. */
function bytesOf<T>(part: T, write: (part: T, writer: BinaryWriter) => void): Uint8Array {
    const writer = new BinaryWriter();
    write(part, writer);
    return writer.getResultBuffer();
}

function writeValue({ value }: Entry, writer: BinaryWriter): void {
    if (typeof value === "number") writer.writeDouble(2, value);
    else if (typeof value === "string") writer.writeBytes(3, Buffer.from(value));
    else if (typeof value === "boolean") writer.writeBool(4, value);
    else if (Array.isArray(value)) writer.writeBytes(6, bytesOf(value, writeItems));
    else if (typeof value === "object" && value !== null)
        writer.writeBytes(5, bytesOf(value as Properties, writeFields));
    else writer.writeEnum(1, 0);
}

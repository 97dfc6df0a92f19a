/**
 * `google.protobuf.Struct` with plain values. The library's own class has an object for each value, and two for each container: several times
 * the size of the values, and a library of contents has hundreds of thousands. tools/plugin/build.ts puts this class in its place.
 */
import { type BinaryReader, BinaryWriter, Message } from "google-protobuf";
import type { Properties } from "../inputs/values";

export class Struct extends Message {
    readonly #values: Properties;

    constructor(values: Properties = {}) {
        super();
        // To the message that holds it, a Struct has no fields.
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

/** A value, and its key if it is a field of an object. */
interface Entry {
    key?: string;
    value: unknown;
}

function readFields(values: Properties, reader: BinaryReader): void {
    while (reader.nextField()) {
        const { key = "", value } = entryBy(reader, readEntry);
        // An assignment would set the prototype.
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

/** The fields of `google.protobuf.Value`: one of null, a number, a text, a boolean, an object and a list. */
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

/** The text of these bytes. The library's own reader has a number for each character, and the record of a ContentLibrary is one long text. */
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

/** The bytes of one part. The library's writer has a number for each byte until it is done, so each part has a writer of its own. */
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

/** The plugin's own form of property values, beside the library's: each reads what the other writes. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { Struct } from "../../../provider/dist/native/struct.js";

const require = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
const { BinaryReader } = require("google-protobuf");
const { Struct: LibraryStruct } = require("google-protobuf/google/protobuf/struct_pb");

const values = {
    ...{ text: "x", none: "", number: 1.5, zero: 0, yes: true, no: false, nothing: null, "": "a key", "ü€😀": "ü€😀" },
    list: [1, "b", [], {}, null],
    object: { deeper: { still: [{ a: "b" }] } },
};

describe("a struct of the plugin", () => {
    it("reads what the library writes", () => {
        const reader = new BinaryReader(LibraryStruct.fromJavaScript(values).serializeBinary());
        assert.deepEqual(Struct.deserializeBinaryFromReader(new Struct(), reader).toJavaScript(), values);
    });

    it("writes what the library reads", () => {
        const bytes = Struct.fromJavaScript(values).serializeBinary();
        assert.deepEqual(LibraryStruct.deserializeBinary(bytes).toJavaScript(), values);
    });

    it("gives no object another prototype", () => {
        const bytes = Struct.fromJavaScript(JSON.parse('{ "a": { "__proto__": { "b": 1 } } }')).serializeBinary();
        const { a } = Struct.deserializeBinaryFromReader(new Struct(), new BinaryReader(bytes)).toJavaScript();
        assert.deepEqual(Object.getPrototypeOf(a), Object.prototype);
    });
});

/** Turns a route's answer into the body that is sent: the envelope, and fields in undocumented forms. */

import { finalStatusIds } from "./contents";
import type { Context, Result } from "./context";
import { jsonReply, type Reply } from "./http";
import type { FieldForm, Variants } from "./variants";

export function present(context: Context, method: string, { code, message, data }: Result): Reply {
    const { deleteBody } = context.variants;
    if (method === "DELETE" && deleteBody !== "envelope") return presentDelete(code, deleteBody);
    const shown = Array.isArray(data) ? data.map((item) => reshapeFields(context, item)) : reshapeFields(context, data);
    return jsonReply(code, { status: "Success", code, message, data: shown });
}

function presentDelete(code: number, body: Exclude<Variants["deleteBody"], "envelope">): Reply {
    if (body === "empty") return { status: code, headers: {}, body: "" };
    return jsonReply(code, body === "ok" ? { status: "OK", code } : { success: body === "success" });
}

function reshapeFields({ variants: { fields } }: Context, data: unknown): unknown {
    if (typeof data !== "object" || data === null) return data;
    const reformed: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(data)) {
        const form = fields[key];
        if (form === undefined) reformed[key] = value;
        else if (form !== "absent") reformed[key] = valueInForm(key, value, form);
    }
    return reformed;
}

function valueInForm(key: string, value: unknown, form: Exclude<FieldForm, "absent">): unknown {
    switch (form) {
        case "null":
            return null;
        case "string":
            return typeof value === "object" ? JSON.stringify(value) : String(value);
        case "number": {
            if (key === "status") return finalStatusIds[String(value)] ?? 1;
            const number = Number(value);
            return Number.isFinite(number) ? number : 7;
        }
        case "boolean":
            return Boolean(value);
        case "array":
            return [value];
        case "object":
            return { value };
    }
}

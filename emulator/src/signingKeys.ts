/** `/signing-keys`: the public parts of an environment's keys. */
import type { RouteHandler } from "./context";
import { success } from "./http";
import type { SigningKey } from "./store";
import { checkNoBody } from "./validate";

export const listSigningKeys: RouteHandler = (context, request) => {
    checkNoBody(request);
    const keys = context.store.signingKeys(request.environmentId);
    return success(200, "Signing keys fetched successfully", keys);
};

/** The keys a new environment starts with: two for Video and one for System, the same on every start. */
export function initialSigningKeys(environmentId: number): SigningKey[] {
    return [1, 1, 3].map((productTypeId, index) => ({
        id: environmentId * 100 + index + 1,
        productTypeId,
        environmentId,
        signingKeyId: `emulated-signing-key-${environmentId}-${index + 1}`,
        createdOn: Date.UTC(2024, 0, 1 + index),
        createdBy: "owner@example.com",
    }));
}

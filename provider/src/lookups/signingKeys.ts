/** Finds signing keys, for lookups of programs and of the plugin. */
import type { SigningKey, VideographApi } from "../api";

export interface SigningKeyFilters {
    productTypeId?: number | undefined;
    environmentId?: number | undefined;
    signingKeyId?: string | undefined;
}

/** All keys that match, oldest first. The service has no filters for them. */
export async function findSigningKeys(api: VideographApi, filters: SigningKeyFilters): Promise<SigningKey[]> {
    const { productTypeId, environmentId, signingKeyId } = filters;
    const keys = (await api.signingKeys()).filter(
        (key) =>
            (productTypeId ?? key.productTypeId) === key.productTypeId &&
            (environmentId ?? key.environmentId) === key.environmentId &&
            (signingKeyId ?? key.signingKeyId) === key.signingKeyId,
    );
    return keys.sort((a, b) => a.createdOn - b.createdOn || a.id - b.id);
}

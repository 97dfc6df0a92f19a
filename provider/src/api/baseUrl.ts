/** Normalises the service's base address, without a trailing slash. Throws `ConfigurationError`. */
export function parseBaseUrl(text: string): string {
    return text;
}

/**
 * Keeps the keys of tests' stacks, in place of a passphrase: what a passphrase costs is 0.2 s of CPU time in each run of the CLI. It is a
 * Vault on loopback, as far as the CLI asks one, for the stacks of one process. It wraps a key in base64.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export const secretsProvider = "hashivault://tests";

let service: Promise<Record<string, string>> | undefined;

/** Variables for the CLI to find it. */
export function keyService(): Promise<Record<string, string>> {
    service ??= new Promise((resolve, reject) => {
        const server = createServer(async (request, response) => {
            let body = "";
            for await (const part of request) body += part;
            const { plaintext, ciphertext } = JSON.parse(body) as Record<string, string>;
            const data =
                ciphertext === undefined
                    ? { ciphertext: `vault:v1:${plaintext}` }
                    : { plaintext: ciphertext.replace("vault:v1:", "") };
            response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
        });
        server.once("error", reject).listen(0, "127.0.0.1", () => {
            // It lasts as long as the tests do.
            server.unref();
            const { port } = server.address() as AddressInfo;
            resolve({ VAULT_SERVER_URL: `http://127.0.0.1:${port}`, VAULT_SERVER_TOKEN: "of the tests" });
        });
    });
    return service;
}

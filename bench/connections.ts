/**
 * `npm run bench:connections`: 1,000 requests, 64 at a time, over HTTP/1.1 and over HTTP/2, both with TLS, against a server
 * on this machine that answers each after 30 ms.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { median } from "./statistics.ts";

const latency = 30;
const requests = 1_000;
const inFlight = 64;
const rounds = 5;

const file = (name: string) => readFileSync(join(import.meta.dirname, "../tests/unit/api/fixtures", name));

function serve(): void {
    const body = JSON.stringify({ status: "Success", code: 200, message: "", data: { title: "t".repeat(500) } });
    const server = createSecureServer({ key: file("key.pem"), cert: file("cert.pem"), allowHTTP1: true });
    server.on("request", (_, response) => setTimeout(() => response.end(body), latency));
    server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
}

async function measure(): Promise<void> {
    // The provider's undici, and its settings but for the protocol.
    const undici = createRequire(join(import.meta.dirname, "../provider/package.json"))(
        "undici",
    ) as typeof import("undici");
    const worker = new Worker(new URL(import.meta.url));
    const [port] = await once(worker, "message");
    const pools = {
        "HTTP/1.1, 64 connections": { connections: inFlight, pipelining: 1, allowH2: false },
        "HTTP/2, 1 connection": { connections: 1, pipelining: inFlight, allowH2: true },
        "HTTP/2, 4 connections": { connections: 4, pipelining: inFlight / 4, allowH2: true },
    };
    const times = new Map<string, number[]>();
    for (let round = 0; round < rounds; round++) {
        for (const [name, pool] of Object.entries(pools)) {
            const dispatcher = new undici.Agent({ ...pool, connect: { rejectUnauthorized: false } });
            const start = performance.now();
            let left = requests;
            const lane = async () => {
                while (left-- > 0) {
                    const { body } = await undici.request(`https://127.0.0.1:${port}/`, { dispatcher });
                    await body.text();
                }
            };
            await Promise.all(Array.from({ length: inFlight }, lane));
            times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
            await dispatcher.close();
        }
    }
    for (const [name, all] of times) {
        const range = `${Math.round(Math.min(...all))} to ${Math.round(Math.max(...all))}`;
        console.log(`${name.padEnd(26)} ${Math.round(median(all) ?? 0)} ms (${range})`);
    }
    await worker.terminate();
}

if (isMainThread) await measure();
else serve();

/** The real network: connections, failures and what they say about whether the request left, TLS, proxies. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import tls from "node:tls";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { ConnectionError } from "../../../provider/dist/api/errors.js";
import { reasonOf, type TransportRequest, UndiciTransport } from "../../../provider/dist/api/transport.js";
import { rejection } from "./support.ts";

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8");
const certificate = { key: fixture("key.pem"), cert: fixture("cert.pem") };

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
});

/** Until the end of the test. */
function trustCertificate(): void {
    const authorities = tls.getCACertificates("default");
    closers.push(() => tls.setDefaultCACertificates(authorities));
    tls.setDefaultCACertificates([...authorities, certificate.cert]);
}

async function listen(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on("connection", (socket: Socket) => {
        sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(() => {
        for (const socket of sockets) socket.destroy();
        return new Promise((resolve) => server.close(resolve));
    });
    return (server.address() as AddressInfo).port;
}

function transportTo(baseUrl: string): UndiciTransport {
    const transport = new UndiciTransport(baseUrl);
    closers.push(() => transport.close());
    return transport;
}

function send(url: string, options: Partial<TransportRequest> = {}, transport = transportTo(url)) {
    return transport.send({ method: "GET", headers: {}, signal: AbortSignal.timeout(20_000), ...options, url });
}

async function fails(promise: Promise<unknown>, outcome: ConnectionError["outcome"], message: RegExp): Promise<void> {
    const error = await rejection(ConnectionError, promise);
    assert.equal(error.outcome, outcome, error.message);
    assert.match(error.message, message);
}

async function serve(listener: RequestListener): Promise<string> {
    return `http://127.0.0.1:${await listen(createServer(listener))}/a?b=c`;
}

describe("the transport", () => {
    it("keeps connections, and opens at most 64", async () => {
        let connections = 0;
        const server = createServer((_, response) => setImmediate(() => response.end("{}")));
        server.on("connection", () => connections++);
        const url = `http://127.0.0.1:${await listen(server)}/`;
        const transport = transportTo(url);
        for (let i = 0; i < 10; i++) await send(url, {}, transport);
        // A connection's first answer frees it only a turn of the event loop later.
        assert.ok(connections <= 2, `${connections} connections`);
        await Promise.all(Array.from({ length: 300 }, () => send(url, {}, transport)));
        assert.ok(connections <= 64, `${connections} connections`);
    });
});

describe("an answer that a gateway has compressed (E4)", () => {
    const codings: [name: string, encode: (text: string) => Buffer][] = [
        ["gzip", gzipSync],
        ["x-gzip", gzipSync],
        ["deflate", deflateSync],
        // As some servers understand the name.
        ["deflate", deflateRawSync],
        ["br", brotliCompressSync],
        ["zstd", zstdCompressSync],
        ["identity", Buffer.from],
        ["GZIP, br", (text) => brotliCompressSync(gzipSync(text))],
    ];
    const text = JSON.stringify({ title: "Café ".repeat(2_000) });

    it("is decoded, whatever its status, although none is asked for", async () => {
        for (const [name, encode] of codings)
            for (const status of [200, 404]) {
                let asked: unknown;
                const url = await serve((request, response) => {
                    asked = request.headers["accept-encoding"];
                    response.writeHead(status, { "content-encoding": name }).end(encode(text));
                });
                const answer = await send(url);
                assert.deepEqual([answer.status, answer.body === text, asked], [status, true, "identity"], name);
            }
    });

    it("without a body is an empty one", async () => {
        const url = await serve((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end());
        assert.equal((await send(url)).body, "");
    });

    it("that cannot be decoded, or is too long when it is, says so, and quotes no binary data", async () => {
        const bomb = gzipSync(Buffer.alloc(17 * 2 ** 20));
        const broken: [coding: string, body: Buffer, said: RegExp][] = [
            ["gzip", Buffer.from(text), /gateway.*compress.*gzip/],
            ["gzip", gzipSync(text).subarray(0, -9), /gateway.*compress.*gzip/],
            ["compress", Buffer.from(text), /gateway.*compress.*compress/],
            ["gzip", bomb, /ERR_BUFFER_TOO_LARGE/],
        ];
        for (const [coding, body, said] of broken) {
            const url = await serve((_, response) => response.writeHead(200, { "content-encoding": coding }).end(body));
            await fails(send(url, { method: "POST", body: "{}" }), "ambiguous", said);
        }
    });
});

describe("a failure before the request left", () => {
    const unsent = (promise: Promise<unknown>, message: RegExp) => fails(promise, "notProcessed", message);

    it("is a refused connection", async () => {
        const server = createTcpServer();
        const port = await listen(server);
        await closers.pop()?.();
        await unsent(send(`http://127.0.0.1:${port}/`), /refused.*ECONNREFUSED/);
    });

    it("is a certificate that is not trusted", async () => {
        let requests = 0;
        const port = await listen(createTlsServer(certificate, () => requests++));
        await unsent(send(`https://127.0.0.1:${port}/`), /certificate is not trusted.*NODE_EXTRA_CA_CERTS/);
        assert.equal(requests, 0);
    });

    it("is a certificate that has expired, or is another host's: another authority would not help", async () => {
        const authorities = tls.getCACertificates("default");
        closers.push(() => tls.setDefaultCACertificates(authorities));
        tls.setDefaultCACertificates([...authorities, certificate.cert, fixture("expired.pem")]);
        const expired = await listen(createTlsServer({ ...certificate, cert: fixture("expired.pem") }));
        await unsent(send(`https://127.0.0.1:${expired}/`), /^(?!.*NODE_EXTRA_CA).*expired.*clock.*CERT_HAS_EXPIRED/);
        const server = createTlsServer(certificate).listen(0, "127.0.0.2");
        await once(server, "listening");
        closers.push(() => new Promise((resolve) => server.close(resolve)));
        const { port } = server.address() as AddressInfo;
        await unsent(
            send(`https://127.0.0.2:${port}/`),
            /^(?!.*NODE_EXTRA_CA).*another host.*ERR_TLS_CERT_ALTNAME_INVALID/,
        );
    });

    it("is a server that speaks no TLS", async () => {
        const port = await listen(createServer((_, response) => response.end()));
        await unsent(send(`https://127.0.0.1:${port}/`), /no TLS.*base URL.*\((ERR_SSL_|EPROTO)/);
    });

    it("says what helps for its code", () => {
        const helps: Record<string, RegExp> = {
            EAI_AGAIN: /name.*DNS/,
            ENOTFOUND: /name is unknown/,
            ETIMEDOUT: /firewall.*HTTPS_PROXY/,
            UND_ERR_CONNECT_TIMEOUT: /firewall.*HTTPS_PROXY/,
            EHOSTUNREACH: /firewall.*HTTPS_PROXY/,
            ENETUNREACH: /firewall.*HTTPS_PROXY/,
            EMFILE: /ulimit -n.*--parallel/,
            ENFILE: /ulimit -n.*--parallel/,
            CERT_NOT_YET_VALID: /expired.*clock/,
            SELF_SIGNED_CERT_IN_CHAIN: /NODE_EXTRA_CA_CERTS/,
            UNABLE_TO_VERIFY_LEAF_SIGNATURE: /NODE_EXTRA_CA_CERTS/,
            ECONNREFUSED: /refused/,
            ECONNRESET: /the connection failed/,
        };
        for (const [code, help] of Object.entries(helps)) {
            const reason = reasonOf(Object.assign(new Error("x"), { code }));
            assert.match(reason, help);
            assert.ok(reason.endsWith(`(${code})`), reason);
        }
    });

    it("is cancellation while the connection comes about, and nothing is sent once it has", async () => {
        trustCertificate();
        let requests = 0;
        const target = await listen(
            createTlsServer(certificate, (_, response) => {
                requests++;
                response.writeHead(200, { connection: "close" }).end();
            }),
        );
        const gate = createTcpServer();
        const port = await listen(gate);
        const held = once(gate, "connection");
        const abort = new AbortController();
        const promise = send(`https://localhost:${port}/`, { signal: abort.signal, method: "POST", body: "{}" });
        const failed = unsent(promise, /failed/);
        // The handshake is held back until the request was given up.
        const [client] = (await held) as [Socket];
        abort.abort(new Error("stop"));
        await failed;
        const closed = once(client, "close");
        const upstream = connect(target, "127.0.0.1").on("error", () => client.destroy());
        upstream.pipe(client).pipe(upstream);
        await closed;
        assert.equal(requests, 0);
    });
});

describe("a failure after the request left", () => {
    const sent = (promise: Promise<unknown>, message: RegExp) => fails(promise, "ambiguous", message);

    it("is a reset", async () => {
        const url = await serve((request) => request.socket.resetAndDestroy());
        await sent(send(url, { method: "POST", body: "{}" }), /ECONNRESET|UND_ERR_SOCKET/);
    });

    it("is a body that is cut short", async () => {
        const url = await serve((request, response) => {
            response.writeHead(200, { "content-length": "100" });
            response.write("{", () => request.socket.destroy());
        });
        await sent(send(url), /ECONNRESET|UND_ERR/);
    });

    it("is a body without end", async () => {
        const piece = Buffer.alloc(2 ** 20, "a");
        const url = await serve((_, response) => {
            const more = () => {
                while (!response.destroyed && response.write(piece));
            };
            response.on("drain", more);
            more();
        });
        await sent(send(url), /UND_ERR_RES_EXCEEDED_MAX_SIZE/);
    });

    for (const [what, message] of [
        ["cancellation", /failed/],
        ["the end of the transport", /UND_ERR_DESTROYED/],
    ] as const)
        it(`is ${what}`, async () => {
            const server = createServer();
            const arrival = once(server, "request");
            const url = `http://127.0.0.1:${await listen(server)}/`;
            const transport = transportTo(url);
            const abort = new AbortController();
            const failed = sent(send(url, { method: "POST", body: "{}", signal: abort.signal }, transport), message);
            await arrival;
            if (what === "cancellation") abort.abort(new Error("stop"));
            else await transport.close();
            await failed;
        });
});

describe("proxies", () => {
    const { env } = process;
    beforeEach(() => {
        process.env = Object.fromEntries(Object.entries(env).filter(([name]) => !/^(https?|no)_proxy$/i.test(name)));
    });
    afterEach(() => {
        process.env = env;
    });

    /** Connects every tunnel to one server, whatever host is asked for. */
    async function proxy(target: number, status = 200) {
        const seen = { port: 0, tunnels: [] as string[], passwords: [] as unknown[] };
        const server = createServer((_, response) => response.writeHead(500).end("not a tunnel"));
        server.on("connect", (request, socket) => {
            seen.tunnels.push(request.url ?? "");
            seen.passwords.push(request.headers["proxy-authorization"]);
            if (status !== 200) {
                socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
                return;
            }
            const upstream = connect(target, "127.0.0.1", () => {
                socket.write("HTTP/1.1 200 OK\r\n\r\n");
                upstream.pipe(socket).pipe(upstream);
            });
            upstream.on("error", () => socket.destroy());
        });
        seen.port = await listen(server);
        return seen;
    }

    it("of the environment are used, with their credentials and with private authorities", async () => {
        trustCertificate();
        const service = createTlsServer(certificate, ({ headers }, response) => response.end(headers.host));
        const seen = await proxy(await listen(service));
        process.env.HTTPS_PROXY = `http://user:pass@127.0.0.1:${seen.port}`;
        const answer = await send("https://videograph.test/");
        assert.equal(answer.body, "videograph.test");
        assert.deepEqual(seen.tunnels, ["videograph.test:443"]);
        assert.deepEqual(seen.passwords, [`Basic ${Buffer.from("user:pass").toString("base64")}`]);
    });

    it("that refuse are named, and nothing was sent", async () => {
        const seen = await proxy(0, 407);
        process.env.HTTPS_PROXY = `http://127.0.0.1:${seen.port}`;
        const post = send("https://videograph.test/", { method: "POST", body: "{}" });
        await fails(post, "notProcessed", /the proxy answered 407/);
    });

    it("are never used to this machine", async () => {
        const seen = await proxy(0, 407);
        process.env.HTTP_PROXY = process.env.HTTPS_PROXY = `http://127.0.0.1:${seen.port}`;
        const url = await serve((_, response) => response.end("{}"));
        assert.equal((await send(url)).status, 200);
        assert.deepEqual(seen.tunnels, []);
    });

    it("are used without a scheme, as the Pulumi CLI and curl do, under either name (P2)", async () => {
        trustCertificate();
        const service = await listen(
            createTlsServer(certificate, ({ headers }, response) => response.end(headers.host)),
        );
        const seen = await proxy(service);
        for (const name of ["HTTPS_PROXY", "https_proxy"])
            for (const address of [`127.0.0.1:${seen.port}`, ` user:pass@localhost:${seen.port} `]) {
                process.env[name] = address;
                assert.equal((await send("https://videograph.test/")).body, "videograph.test");
                delete process.env[name];
            }
        assert.equal(seen.tunnels.length, 4);
    });

    it("with an address that makes no sense are a configuration error that names the variable, and does not quote it (P2)", () => {
        for (const variable of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"])
            for (const address of [
                "http://user:hunter2@:port",
                "user:hunter2@:port",
                "gopher://hunter2:70",
                "ftp://hunter2",
            ]) {
                process.env[variable] = address;
                assert.throws(
                    () => new UndiciTransport("https://videograph.test"),
                    ({ message }) =>
                        new RegExp(`^${variable} .*http://host:port.*VG5003`).test(message) &&
                        !message.includes("hunter2"),
                    `${variable}=${address}`,
                );
                delete process.env[variable];
            }
    });
});

/**
 * An S3 service on loopback (moto), with one bucket for each that a test asks for. It runs in a Python environment that is made once per
 * machine, beside the Pulumi CLI in the user's cache folder.
 */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { pythonWith } from "../../tools/pulumiCli/python.ts";
import { waitFor } from "./waitFor.ts";

/** What S3 of moto's server needs, and nothing of the other services. */
const packages = [
    ...["moto==5.2.5", "boto3==1.44.5", "botocore==1.44.5", "s3transfer==0.19.3", "jmespath==1.1.0", "six==1.17.0"],
    ...["python-dateutil==2.9.0.post0", "urllib3==2.8.0", "requests==2.34.2", "certifi==2026.10.18", "idna==3.20"],
    ...["charset-normalizer==3.5.2", "responses==0.26.3", "PyYAML==6.0.3", "Werkzeug==3.1.9", "MarkupSafe==3.0.4"],
    ...["xmltodict==1.0.4", "cryptography==50.0.2", "cffi==2.1.1", "pycparser==3.12", "py-partiql-parser==0.6.3"],
    ...["Flask==3.1.3", "flask-cors==6.0.5", "blinker==1.9.0", "click==8.5.1", "itsdangerous==2.2.0", "Jinja2==3.1.6"],
];

export class ObjectStore implements AsyncDisposable {
    readonly #server: ChildProcess;
    readonly #url: string;
    #buckets = 0;

    private constructor(server: ChildProcess, url: string) {
        this.#server = server;
        this.#url = url;
    }

    /** Starts it, or says why not: it needs Python. */
    static async start(): Promise<ObjectStore | string> {
        const python = await pythonWith(...packages);
        if (python === undefined) return "there is no python3 on the PATH";
        const server = spawn(join(python, "python"), ["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"], {
            stdio: ["ignore", "pipe", "pipe"],
        });
        let output = "";
        for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (output += text));
        const url = await waitFor("moto to listen", () => {
            assert.equal(server.exitCode, null, output);
            return /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
        });
        return new ObjectStore(server, url);
    }

    /** Makes an empty bucket. */
    async bucket(): Promise<string> {
        this.#buckets += 1;
        const name = `bucket-${this.#buckets}`;
        const { status } = await fetch(`${this.#url}/${name}`, { method: "PUT" });
        assert.equal(status, 200);
        return name;
    }

    urlOf(bucket: string): string {
        return `${this.#url}/${bucket}`;
    }

    async [Symbol.asyncDispose](): Promise<void> {
        const ended = new Promise((resolve) => this.#server.once("exit", resolve));
        if (this.#server.exitCode === null) {
            this.#server.kill("SIGKILL");
            await ended;
        }
    }
}

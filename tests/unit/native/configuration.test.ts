/** Which provider is the engine's own, and which keys of a configuration are settings. */
import assert from "node:assert/strict";
import { isExplicit, settingProblems, splitSettings } from "../../../provider/dist/native/configuration.js";

const of = (name: string, inputs: object, project = "shop") =>
    [`urn:pulumi:dev::${project}::pulumi:providers:videograph::${name}`, inputs as Record<string, unknown>] as const;
const stack = { accessTokenId: "a", region: "eu" };
const env = (configuration: object) => ({ PULUMI_CONFIG: JSON.stringify(configuration) });
const version = "1.0.0-rc.1";

describe("a provider", () => {
    it("is the engine's own by its name, and by the stack's configuration as its inputs (D1)", () => {
        for (const [name, inputs] of [
            ["default", {}],
            ["default_https_example_com", {}],
            ["default_1_0_0_rc_1", { version }],
            ["default_1_0_0_rc_1_https_example_com", { version, pluginDownloadURL: "https://example.com" }],
        ] as const) {
            assert.equal(isExplicit(...of(name, { ...stack, ...inputs }), env(stack)), false, name);
            assert.equal(isExplicit(...of(name, inputs), env({})), false, name);
            assert.equal(isExplicit(...of(name, { ...stack, ...inputs }), {}), false, name);
            // What a program declares beside or instead of the configuration.
            for (const own of [{ region: "us" }, { region: undefined }, { trustNotFound: true }, { __fromStack: {} }])
                assert.equal(isExplicit(...of(name, { ...stack, ...own, ...inputs }), env(stack)), true, name);
        }
        for (const name of ["default", "default_1_0_0", "default_eu", "eu"])
            assert.equal(isExplicit(...of(name, { ...stack, version }), env(stack)), true, name);
        for (const name of ["defaults", "eu"]) assert.equal(isExplicit(...of(name, stack), env(stack)), true, name);
    });
});

describe("an explicit provider", () => {
    it("has settings of its own, which win over the environment, and those of the stack, which do not", () => {
        const { own, stack: others } = splitSettings({ region: "us", trustNotFound: true, __fromStack: stack });
        assert.deepEqual([own.region, own.trustNotFound, own.accessTokenId], ["us", "true", undefined]);
        assert.deepEqual([others.region, others.accessTokenId], ["eu", "a"]);
        assert.deepEqual(splitSettings(stack).own, {});
    });
});

describe("a key of the configuration", () => {
    const unknown = (key: string, project: string) => {
        const inputs = { [key]: "x" };
        return settingProblems(...of("default", inputs, project), env(inputs)).join();
    };

    it("that is no setting is the project's, if that has the name of the package (D3)", () => {
        const keys = ["sourceUrl", "regions", "baseUri", "secretKeys", "token", "secret", "a.b", "Ключ"];
        for (const key of [...keys, "__proto"]) assert.equal(unknown(key, "videograph"), "", key);
        for (const key of keys) assert.match(unknown(key, "shop"), /VG2006/, key);
    });

    it("that is surely mistyped is a problem in every project", () => {
        for (const [key, meant] of Object.entries({
            ...{ acessTokenId: "accessTokenId", access_token_id: "accessTokenId", AccessTokenId: "accessTokenId" },
            ...{ secretkey: "secretKey", secertKey: "secretKey", trustNotfound: "trustNotFound" },
            ...{ baseURL: "baseUrl", "base-url": "baseUrl", Region: "region" },
        }))
            for (const project of ["videograph", "shop"])
                assert.match(unknown(key, project), new RegExp(`${key} is not a known property.*\`${meant}\``));
    });

    it("of an explicit provider has to be a setting", () => {
        assert.match(settingProblems(...of("eu", { sourceUrl: "x" }, "videograph"), env({})).join(), /VG2006/);
    });
});

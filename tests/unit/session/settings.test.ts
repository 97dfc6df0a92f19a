/** Where settings come from, and what is said of those that are missing. */
import assert from "node:assert/strict";
import { ConfigurationError } from "../../../provider/dist/api/errors.js";
import {
    credentialsOf,
    resolveSettings,
    type SettingName,
    settingNames,
    trustsNotFound,
} from "../../../provider/dist/session/settings.js";

const all = (text: string) => Object.fromEntries(settingNames.map((name) => [name, `${text} ${name}`]));
const sources = (source: string) => Object.fromEntries(settingNames.map((name) => [name, source]));
const environment = {
    VIDEOGRAPH_ACCESS_TOKEN_ID: "env accessTokenId",
    VIDEOGRAPH_SECRET_KEY: "env secretKey",
    VIDEOGRAPH_BASE_URL: "env baseUrl",
    VIDEOGRAPH_REGION: "env region",
    VIDEOGRAPH_TRUST_NOT_FOUND: "env trustNotFound",
};
const none = () => undefined;

describe("settings", () => {
    it("are the provider's own, then the environment's, then the stack's", () => {
        const stack = (name: SettingName) => all("stack")[name];
        const own = resolveSettings(all("own"), stack, environment);
        assert.deepEqual(own, { ...all("own"), sources: sources("provider") });
        const fromEnvironment = resolveSettings({}, stack, environment);
        assert.deepEqual(fromEnvironment, { ...all("env"), sources: sources("environment") });
        assert.deepEqual(resolveSettings({}, stack, {}), { ...all("stack"), sources: sources("stack") });
        assert.deepEqual(resolveSettings({}, none, {}), { sources: {} });
    });

    it("that say nothing, or are not known yet, do not count, and space around them does not either", () => {
        const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
        for (const nothing of ["", " \n", unknown]) {
            const settings = resolveSettings({ region: nothing }, none, { VIDEOGRAPH_REGION: " eu\n" });
            assert.deepEqual(settings, { region: "eu", sources: { region: "environment" } }, nothing);
        }
    });
});

describe("credentials", () => {
    const token = { accessTokenId: "id", secretKey: "key" };

    it("are for the public service, unless a base URL is set", () => {
        assert.deepEqual(credentialsOf({ ...token, region: "eu" }), { ...token, baseUrl: "https://api.videograph.ai" });
        assert.equal(credentialsOf({ ...token, baseUrl: "https://eu.test" }).baseUrl, "https://eu.test");
    });

    it("that are missing are named, with both ways to set them", () => {
        const one =
            "The Videograph credentials lack secretKey. Set VIDEOGRAPH_SECRET_KEY in the environment, or set the " +
            "stack configuration: `pulumi config set --secret videograph:secretKey`. [VG1001]";
        assert.throws(
            () => credentialsOf({ accessTokenId: "id" }),
            (error) => error instanceof ConfigurationError && error.message === one,
        );
        assert.throws(() => credentialsOf({}), /lack accessTokenId and secretKey\. Set VIDEOGRAPH_ACCESS_TOKEN_ID and/);
    });
});

describe("trustNotFound", () => {
    it("S2: holds only where the user says so", () => {
        for (const yes of ["true", "True", "1", "YES"]) assert.equal(trustsNotFound({ trustNotFound: yes }), true, yes);
        for (const no of [undefined, "", "false", "0", "untrue", "11"])
            assert.equal(trustsNotFound({ trustNotFound: no }), false, no);
    });
});

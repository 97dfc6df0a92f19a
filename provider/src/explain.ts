/** Adds to an error of the service's client where the setting comes from that it blames. */
import { AuthenticationError, ConnectionError } from "./api";
import { defaultBaseUrl, type SettingName, type Settings, variables } from "./settings";

/** The message of whatever was thrown, with the settings to look at. */
export function explain(error: unknown, { baseUrl = defaultBaseUrl }: Settings): string {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof AuthenticationError) {
        return `${message} They are set by ${sources("accessTokenId", "secretKey")}; a plain \`pulumi refresh\` or \`destroy\` uses the configuration of the last \`pulumi up\`.`;
    }
    if (error instanceof ConnectionError)
        return `${message} The base address is ${baseUrl}, set by ${sources("baseUrl")}.`;
    return message;
}

function sources(...names: SettingName[]): string {
    const all = (list: string[]) => list.join(" and ");
    return `the environment (${all(names.map((name) => variables[name]))}), else the stack configuration (${all(names.map((name) => `videograph:${name}`))}), unless a videograph.Provider has its own`;
}

/** The folders of the user, as the Pulumi CLI finds them. */
import { userInfo } from "node:os";
import { join } from "node:path";

/**
 * The user's folder by the system's list of users. The CLI asks the same list: in a container job HOME is often another folder, where the CLI would
 * not find what is put there. Only a user who is not in the list, as in many containers, has the folder that HOME names.
 */
export function userFolder({ HOME = "" }: NodeJS.ProcessEnv = process.env): string {
    try {
        return userInfo().homedir;
    } catch {
        return HOME;
    }
}

/** The CLI's own folder, with its plugins: `PULUMI_HOME`, else `.pulumi` in the user's folder. */
export function pulumiHome(variables: NodeJS.ProcessEnv = process.env): string {
    return variables.PULUMI_HOME || join(userFolder(variables), ".pulumi");
}

/**
 * Every message of resources, functions and settings: what happened, to which object, and what to do next. The messages of commands are in
 * `cli/src/messages.ts`. A code keeps its meaning forever, because users search for it: a new message gets a new code. docs/guides/troubleshooting.md
 * explains each code, in sections by the first two digits.
 */
import { templates } from "./message";

const trust = "If it was deleted, set VIDEOGRAPH_TRUST_NOT_FOUND=true for one run.";
/** Words that several messages share, or that stand inside a message. */
export const advice = {
    gateway: "Check baseUrl and any gateway or proxy, then try again.",
    again: " Run the same command again for the rest.",
    awaited: "The content is kept. The next `pulumi up` continues to wait for it.",
    keyed: "an object whose keys name the videos, such as Object.fromEntries(list.map((video) => [video.slug, video])) in TypeScript: a position is no name",
    /** The option as TypeScript and YAML write it. `native/spelling.ts` replaces it for other languages. */
    moreTime: 'customTimeouts: { create: "2h", update: "2h" }',
    moreTimeToDelete: 'customTimeouts: { delete: "30m" }',
    kept: `It stays in the state. Check baseUrl and any gateway or proxy. ${trust}`,
} as const;

const otherDisk = "or set VIDEOGRAPH_JOURNAL_DIR to a folder on another disk.";
/** What the user can do if the journal's folder cannot be used. The keys are codes of the system's error, or words of `evidence/journal.ts`. */
export const journalAdvice = {
    ENOSPC: `Free space on its disk, ${otherDisk}`,
    EDQUOT: `Free space in this user's quota, ${otherDisk}`,
    "EMFILE ENFILE": "Raise the number of files that may be open (`ulimit -n`), or lower --parallel.",
    "EACCES EPERM": "Make it readable and writable for this user, or set VIDEOGRAPH_JOURNAL_DIR to a folder that is.",
    // Where Node has to make a folder on a read-only disk, the code is ENOENT and not EROFS.
    "EROFS ENOENT": "Set VIDEOGRAPH_JOURNAL_DIR to a folder on a disk that can be written to.",
    "EEXIST ENOTDIR": "Remove the file that has a folder's place, or set VIDEOGRAPH_JOURNAL_DIR to a folder.",
    line: "Undo the change. Or remove the line: then nothing finds what its create may have made.",
    link: "Set VIDEOGRAPH_JOURNAL_DIR to the folder itself.",
    shared: "Make it this user's own (`chown`, `chmod go-w`), or set VIDEOGRAPH_JOURNAL_DIR to a folder that is.",
    other: "Run the same command again. If that fails too, set VIDEOGRAPH_JOURNAL_DIR to a folder on a local disk.",
} as const;

const urlAndProxy = "check the base URL and any proxy in HTTPS_PROXY or HTTP_PROXY";
/**
 * Why a connection failed, and what to check. The keys are codes of the error. If no key has the code, `api/transport.ts` chooses `certificate` or
 * `other`.
 */
export const connectionFailures = {
    ECONNREFUSED:
        "the connection was refused; check the base URL, whether the service is running, and any proxy in HTTPS_PROXY or HTTP_PROXY",
    ENOTFOUND: `the host name is unknown; ${urlAndProxy}`,
    EAI_AGAIN: "the host name cannot be looked up now; check the network and its DNS",
    "ETIMEDOUT UND_ERR_CONNECT_TIMEOUT EHOSTUNREACH ENETUNREACH":
        "the host cannot be reached; check the network, any firewall, and whether HTTPS_PROXY has to be set",
    "EMFILE ENFILE": "too many files are open; raise their number (`ulimit -n`), or lower --parallel",
    "CERT_HAS_EXPIRED CERT_NOT_YET_VALID":
        "the server's certificate has expired or is not valid yet; check this machine's clock, and ask who runs the server",
    ERR_TLS_CERT_ALTNAME_INVALID: `the server's certificate is another host's; ${urlAndProxy}`,
    "ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_PACKET_LENGTH_TOO_LONG EPROTO": `the server speaks no TLS on this port; ${urlAndProxy}`,
    certificate:
        "the server's certificate is not trusted; set NODE_EXTRA_CA_CERTS to the certificate file of a private authority, and check the base URL",
    other: "the connection failed; check the network, the base URL and any proxy in HTTPS_PROXY or HTTP_PROXY",
} as const;

export const undecoded = (coding: string) =>
    `a gateway or proxy compresses the answer, and it cannot be decoded (${coding}); let it pass answers as they are`;

export const proxyAnswered = (status: string) =>
    `the proxy answered ${status} instead of connecting; check the proxy's address, credentials and rules, or add the host to NO_PROXY`;

/** Sentences that say where a setting comes from. They stand at the end of a message that blames the setting. */
export const origins = {
    credentials: (place: string) =>
        `They come from ${place}. A plain \`pulumi refresh\` or \`destroy\` runs with the configuration of the last \`pulumi up\`.`,
    overriding: (place: string) => `They come from ${place}, which overrides the stack's configuration.`,
    baseUrl: (url: string, place: string) => `The base URL is ${url}, ${place}.`,
} as const;

/**
 * Parts of VG6004, which says that another resource owns the object. They tell how the user moves the object's record in the state to the resource
 * that is to have it.
 */
export const moves = {
    here: (alias: string) => ` If this stack has it, take its record by the resource option \`${alias}\`.`,
    fromStack: (stack: string) =>
        ` Move its record here: \`pulumi state move --source ${stack} '<urn>'\`; \`pulumi stack --show-urns --stack ${stack}\` shows the URN.`,
    after: (alias: string) => ` Then take it by the resource option \`${alias}\`.`,
    byName: (name: string) => `aliases: [{ name: ${JSON.stringify(name)} }]`,
    byUrn: 'aliases: ["<urn>"]',
} as const;

/** Parts of VG3023: how the user replaces the object of a resource, or of an entry of a library. */
export const replacements = {
    ofResource: (urn: string) => `\`pulumi up --replace '${urn}'\``,
    ofEntry: "remove its key from the library for one `pulumi up`",
} as const;

/** The texts of all messages. Each text has its code where users see it. */
export const texts = {
    missingCredentials:
        "The credentials lack {missing}. Set {variables} in the environment, or in the stack configuration: {commands}. [VG1001]",
    baseUrlInvalid:
        "The base URL must be like {example}: it starts with https:// (http:// only for localhost, 127.0.0.1 and [::1]) and has no user name, password, query or fragment. [VG1002]",
    unauthorized:
        "{request}: the service does not accept the access token (HTTP {status}){said}. Check that accessTokenId and secretKey belong together, and to this baseUrl. [VG1010]",
    forbidden:
        "{request}: the credentials are not allowed to do this (HTTP {status}){said}. Give the access token the permission, or use another one. [VG1011]",
    refusedBefore: "{request} was not sent, because it would be refused as well. {earlier} [VG1012]",
    redirected:
        "{request}: the service redirects (HTTP {status}){to}. That is not followed, because requests carry the credentials. Correct baseUrl. [VG1013]",
    addressFromElsewhere:
        "Requests go to {url}, from {place}, but the credentials come from elsewhere. Make sure that they belong together. [VG1015]",

    badInput: "{property} must be {expected} [VG2001]",
    requiredInput: "{input} is required ({form}) [VG2002]",
    reservedKey: "{key} is reserved: it names the stack that manages the object. Use another key [VG2003]",
    unknownValue:
        "{input} is not one of the known values ({known}). If it is a typo, correct it{correction} now: a later change replaces the resource. [VG2004]",
    repeatedItem:
        "{item} repeats {first}: only one {input} per {key} is allowed (case-insensitive). Remove one [VG2005]",
    unknownInput: "{property} is not a known property: remove it, or correct it{correction} [VG2006]",
    halfCharacter:
        '{property} has half of a character, such as of an emoji that was cut. Cut texts between characters, as in Array.from(text).slice(0, 80).join("") [VG2055]',
    outputAsInput: "{property} is an output, which the service makes: remove it [VG2050]",
    outputAsText:
        "{property} has the text of an Output or another object in place of its value. Use {fix}, or `.apply()` [VG2041]",
    hiddenQuery:
        "{property} has a query, which may be a credential, so {input} is shown as [secret]. Write the URL of the file itself. If the query is only a version, set sourceVersion instead. [VG2045]",
    nothingFound:
        "{name} found nothing: {input} is not one of the known values ({known}). If it is a typo, correct it{correction}. [VG2052]",
    signedSource:
        "{property} seems to be signed: another signature replaces the video. Set {version}: then only another {version} replaces it. [VG2051]",
    notLoadable:
        "pulumi-videograph is not installed for {folder}, the folder of the Pulumi program: only NODE_PATH finds it. Add it to that folder's own package.json, and install it. [VG2010]",
    oldNode:
        "pulumi-videograph needs Node.js 22.19 or newer, not {version}. Install a newer one, or put it first on the PATH. [VG2011]",
    unknownSettings:
        "This preview does not know a setting of the function's provider yet. Use the Output form (such as getContentsOutput), which waits for it. [VG2012]",
    foreignProvider:
        "The function's provider is no Provider of pulumi-videograph. For a native Provider, use the function in pulumi-videograph/native. [VG2038]",
    importOption:
        '{kind} "{name}" does not support the resource option `import`. Set the input importId to the id instead. [VG2013]',
    importIdChanged:
        "importId names a different object than {object}, which this resource manages. Remove importId, or declare a second resource for the other object. [VG2020]",
    importIdReplaced:
        "{properties}: this change requires a replacement, which importId rules out. Remove importId first; the object stays managed. [VG2022]",
    replacementImpossible:
        "{object} requires replacement ({properties}), but creating a new one requires {missing}. Declare {missing}, or undo the change. [VG2024]",
    newerState:
        "A newer version of pulumi-videograph wrote this resource's state (format {version}). Upgrade the package. [VG2025]",
    nothingIgnored:
        "ignoreChanges names {name}, which is no input of this resource, so its changes are not ignored. Correct it to `{meant}`. [VG2060]",
    brokenRecord:
        "This resource's record in the state is broken at {property}: somebody has changed it. Restore the stack's state from a backup, or undo the change. [VG2056]",
    keyLost: "{input} has the key __proto__, which is lost on the way to the provider. Rename the key. [VG2028]",
    importIdTwice:
        "importId: {other} of this program adopts or manages the same object. Remove one of the two [VG2023]",
    adoptedTwice:
        "{id} is managed by this resource, and {other} of this program adopts it. Remove one of the two. [VG2029]",
    libraryForm: "declare either contents or catalogue, not both [VG2030]",
    catalogueLine: "catalogue, line {line} is not a JSON object with a key [VG2031]",
    catalogueDocument:
        "catalogue is one JSON document, and must be lines: each a JSON object of one video, with its key. Or parse the document in the program, and declare contents [VG2054]",
    libraryWaits:
        "{property} is not for a library: a library always waits until its contents are Ready. Remove it [VG2053]",
    libraryKey: "{entry} needs another key: unique, not empty, and without `/` and `::` [VG2032]",
    libraryProblems: "and {count} more problems in other entries [VG2033]",
    libraryChanges: "Contents of the library: {changes}. [VG2034]",
    libraryTooManyDeletes:
        "This update would delete or replace {count} of the library's {total} contents, but maxDeletes allows only {most}: {keys}. To allow it, set maxDeletes to at least {count}. [VG2035]",
    libraryEmptied:
        "The program declares no contents, but the library has {total}: {keys}. An update never empties a library. To delete them all, remove the resource. [VG2036]",
    libraryPart:
        'ContentLibrary "{name}": {option} names a part of contents ({path}), which reach Pulumi as one text. Name "contents", or use a native type: it accepts paths up to 200 contents. [VG2037]',

    attemptsFailed:
        "All {attempts} attempts to create this {object} failed, and none left an object with its marker. The last error: {error} The next `pulumi up` searches once more. [VG3001]",
    createUnknown:
        "It is unknown whether the {object} was created: {error} Run `pulumi up`, on any machine: it searches before it creates. `pulumi refresh` only searches. [VG3002]",
    listedUnreadable: "{object} is listed, but cannot be read yet. [VG3003]",
    createTimedOut:
        "The create timed out (customTimeouts.create). The next `pulumi up` searches before it creates, which takes up to 70 s: if it times out again, allow it two minutes. [VG3004]",
    foundAgain: "{object} was created by an earlier request and was found again. [VG3005]",
    supersededDeleted:
        "{object} was deleted: an interrupted create of this resource made it, with inputs that differ from the program's. [VG3006]",
    notUpdated:
        "{object} exists, but updating it failed: {error} It is kept; the next `pulumi up` updates it. [VG3007]",
    listTooLong: "The list {list} is too long to be searched completely. [VG3008]",
    madeAgain:
        "The service has made another {objects} of this create, perhaps because a proxy repeated the request. No resource manages it: delete it. [VG3034]",
    listEmptied: "The list {list} is empty, although it showed objects earlier in this run. [VG3033]",
    pendingCreates:
        "An earlier run was interrupted while it created {resources}. The object may exist, unmanaged. Run `npx pulumi-videograph orphans` to find it. [VG3011]",
    keptAdopted: "{id} was kept: a resource of the program manages it now, or reads it with `.get`. [VG3013]",
    ownStateUnread:
        "The stack's state could not be read: {error} A create that a killed run sent from another machine would not be found in it; the service is asked in its place. `npx pulumi-videograph doctor` reads it in the same way. [VG3038]",
    interrupted: "The run was interrupted. Run the same command again to continue. [VG3014]",
    refusedForeign:
        "Nothing was created: {objects} may be another stack's. To adopt {one}: `VIDEOGRAPH_UNRECORDED={adopt} pulumi up`. To create another: `VIDEOGRAPH_UNRECORDED={leave} pulumi up`.{forget} [VG3016]",
    refusedLostMachine:
        "Nothing was created: an interrupted create may have made {objects}. To adopt {one}: `VIDEOGRAPH_UNRECORDED={adopt} pulumi up`. To create another: `VIDEOGRAPH_UNRECORDED={leave} pulumi up`.{forget} [VG3017]",
    madeForThis:
        "{object} was made for this resource as well: run `pulumi up`, which says how to adopt it, or to leave it alone. If the resource is protected: `VIDEOGRAPH_UNRECORDED={id} pulumi refresh` adopts it. [VG3040]",
    refusedUnread:
        "Nothing was created: the stack's state could not be read, and {objects} was made for this resource, perhaps by an interrupted run. If the state has it, run `pulumi up` again. To adopt {one}: `VIDEOGRAPH_UNRECORDED={adopt} pulumi up`. To create another: `VIDEOGRAPH_UNRECORDED={leave} pulumi up`.{forget} [VG3039]",
    refusedCredentials:
        "Nothing was created: an earlier create ({objects}) used other credentials. Use those, or, for one environment, set VIDEOGRAPH_TRUST_NOT_FOUND=true. To create another: `VIDEOGRAPH_UNRECORDED=create pulumi up`.{forget} [VG3018]",
    forgetEntries: " If that was not this stack: `npx pulumi-videograph forget {entries}`. [VG3019]",
    leftAlone: "VIDEOGRAPH_UNRECORDED leaves {objects} alone: no resource of this stack manages it. [VG3022]",
    adoptedAsItIs:
        "{object} was created with inputs that differ from the program's, such as another source. It is adopted as it is. To replace it: {way}. [VG3023]",
    searchFailed:
        "Nothing was created: the search for an earlier {object} failed: {error} Run `pulumi up` again, or set VIDEOGRAPH_UNRECORDED to its id or to `create`.{forget} [VG3024]",
    keptNamed:
        "{object} was not deleted, only its record: VIDEOGRAPH_UNRECORDED names it, or a resource that may have adopted it. If no resource has it now, declare it with `importId`. [VG3035]",
    namedByUser: "{object} is adopted, because VIDEOGRAPH_UNRECORDED names it. [VG3025]",
    unrecordedInvalid:
        "VIDEOGRAPH_UNRECORDED must be `create`, or a list, separated by commas, of what to adopt, each once: an id, or `all:` and a resource's name. A minus sign before it leaves that alone [VG3026]",
    unconfirmedSearched:
        "It is unknown whether an earlier run created this {object}: this update searches first. If the resource is protected, run `pulumi refresh`. [VG3027]",
    unconfirmedNotUpdated:
        "This {object} is not updated: it is unknown whether an earlier run created it. Run `pulumi up` again, or `pulumi refresh`: both search for it. [VG3028]",
    stillUnconfirmed: "It is still unknown whether an earlier run created this {object}: {error} [VG3029]",
    neverCreated:
        "No earlier run created this {object}: its entry leaves the state, and the next `pulumi up` creates it. [VG3030]",
    markerNotKept:
        "The service has not kept the ownership marker in the metadata of this object. If the answer to a create is lost, a second object may be made. Run `npx pulumi-videograph probe`. [VG3032]",
    journalUnusable:
        "The journal of pending creates in {folder} cannot be used ({error}): without it nothing is created. {advice} [VG3020]",

    contentFailed:
        "Content {id} has the status {status}: {reason}. Fix content[0].url (the public URL of an MP4, MOV or M4V file itself, not of a page), then run `pulumi up`: it replaces the content. [VG4001]",
    contentReplaced: "Content {id} has Failed: it will be replaced. [VG4002]",
    contentRecovered: "Content {id} was Failed and is {status} now: it is kept. [VG4012]",
    contentTimedOut:
        "Content {id} is not Ready after {time}: {last}. To allow more time, set the resource option {option}. [VG4003]",
    contentAwaited: "Content {id} was not Ready yet ({status}): this update waits for it. [VG4004]",
    contentInterrupted: "The run was interrupted before content {id} was Ready. [VG4005]",
    contentVanished:
        "Content {id} is {seen}. The id is not one of a content, or it was deleted (`pulumi up --refresh` creates it again), or the credentials are of another environment. [VG4006]",
    deletedBeforeReady:
        "waitForReady is false: {object} is deleted before the new one is Ready, unless a ContentReadiness waits for the new one. [VG4008]",
    urlEnds: "{object} gets a new id and playback URL: {url} ends when the old one is deleted. [VG4060]",
    libraryUrlsEnd:
        "{number} of the library's contents get a new id and playback URL: the old URLs end when the old contents are deleted ({keys}). [VG4061]",
    notAllReady:
        "{number} of {total} contents did not become Ready. Fix the sources of those that Failed, and the ids in contentIds of those that are missing, then run `pulumi up --refresh`. A plain `pulumi up` only waits again. [VG4009]{list}",
    notUpdatable:
        "{object} no longer exists, so it cannot be updated. Run `pulumi up --refresh`: it is created again. If all objects are gone, as after a restart of the emulator, set VIDEOGRAPH_TRUST_NOT_FOUND=true for that run. [VG4011]",

    libraryFailed: "{number} of {total} contents of the library failed.{next} [VG4030]{list}",
    adoptAll: "To adopt all {number}: `VIDEOGRAPH_UNRECORDED={all} pulumi up`. [VG3036]",
    leaveAll: "To create {number} others: `VIDEOGRAPH_UNRECORDED=-{all} pulumi up`. [VG3037]",
    moreAlike: "The same is true of {number} more contents of the library ({code}). [VG4035]",
    libraryInterrupted: `The run was interrupted after {done} of {total} contents of the library.${advice.again} [VG4031]`,
    libraryGone:
        "These contents were deleted outside of Pulumi: {keys}. The next `pulumi up` creates them again. [VG4032]",

    itemRemoved:
        "{input}: the program no longer declares {removed}, which cannot be removed from an existing object. {object} is replaced, with a new id and new URLs. [VG4020]",
    itemWithoutKey:
        "{item} has no {key}, so it cannot be added to an existing object. {object} is replaced, with a new id and new URLs. [VG4021]",
    replacedIfDifferent:
        "{properties}: not known in this preview, so a replacement is planned. {object} is only replaced if the value differs. [VG4029]",
    itemNeedsKey: "{item} needs {key} to be added to an existing object. [VG4022]",
    itemNotSet:
        "{object} exists, but {item} was not set: {error} It is kept; the next `pulumi up` updates it. [VG4023]",
    itemRefused:
        '{object} exists, but {item} was not set: {error} Its status is {status}: once it is Ready, run `pulumi up`. If that fails too, set replaceOnChanges: ["{input}"]. [VG4026]',
    inputKept:
        "{input} was removed from the program, but the service cannot unset it: {object} keeps the last value. [VG4027]",
    thumbnailTooEarly:
        "thumbnail needs a Ready content, and nothing waits for it while waitForReady is false. Remove one of the two [VG4028]",

    clipFailed:
        "Clip {id} has the status {status}: {reason}. Run `pulumi up`: it replaces the clip. If that fails too, change its times. [VG4201]",
    sourceFailed:
        "No clip was created, because content {id}, its source, has the status {status}: {reason}. If it is this stack's, run `pulumi up --refresh`: it replaces the content first. [VG4202]",
    sourceNotReady: "No clip was created, because its contentId names nothing that is Ready: {error} [VG4203]",
    clipOfItself: "contentId must name another content: a clip cannot be cut from itself [VG4204]",

    keyEnds:
        "{object} gets a new id, playback URL and stream key: encoders have to be set up again, and {url} ends when the old one is deleted. [VG4104]",
    livestreamUnread:
        "Livestream {id} was created, but was not read completely: {error} The next `pulumi up` continues with it. [VG4101]",
    livestreamReadLater: "Livestream {id} was not read completely after its create: this update reads it. [VG4102]",
    livestreamLeaving:
        "Livestream {id} was not deleted within {time} (customTimeouts.delete). The service continues, and it counts as deleted. [VG4103]",

    connectionFailed: "{request}: {reason}. [VG5001]",
    proxyInvalid: "{variable} is not the address of a proxy. Write http://host:port, or unset it. [VG5003]",
    noAnswer:
        "{request}: no answer within {seconds} s. Try again, then check the network and the service's state. [VG5004]",
    noTimeLeft:
        "{request}: no answer within {seconds} s, when the time of the whole operation ended. To allow more time, set the resource option {option}. [VG5009]",
    noTurn: "{request} was not sent: the operation's time ended before a connection was free. Give it more time by the resource option {option}, or lower --parallel. [VG5005]",
    rateLimit:
        "{request}: the service is still rate limiting requests after {tried} s (HTTP {status}){said}. Try again {when}, or lower --parallel. [VG5007]",
    serverError:
        "{request}: the service failed (HTTP {status}){said}. Try again {when}, then ask its support. [VG5008]",

    badRequest:
        "{request}: the service does not accept the request (HTTP {status}){said}. Correct the property that it names, or the last changed one. [VG5101]",
    conflict:
        "{request}: the request conflicts with the object's current state (HTTP {status}){said}. Try again when other changes to it are done. [VG5103]",
    notFound:
        "{request}: the object does not exist, or these credentials cannot see it (HTTP {status}){said}. Check that the id is of this kind, and the access token's environment. [VG5104]",
    refused:
        "{request}: the service refused the request (HTTP {status}){said}. Check baseUrl and the service's message. [VG5106]",
    emptyId: "{request} was not sent, because the id is empty or consists only of dots. [VG5107]",
    unconfirmedObject:
        "{request} was not sent: it is unknown whether this object was created. Run `pulumi up` or `pulumi refresh` for its resource first. [VG5109]",
    denied: "{request}: the service answered HTTP {status}, but the body reports an error{code}{said}. Try again, then ask its support. [VG5108]",

    malformed:
        "{request}: the answer breaks the service's contract: {problem} (HTTP {status}){said}. Check that baseUrl is the service's, then ask its support. [VG5201]",
    foreignAnswer:
        "{request}: the answer comes from a gateway, a proxy or another server, not from the service (HTTP {status}){said}. {advice} [VG5207]",
    answeredTwice:
        "The answer to a create names {object}, which existed before or which another create made. Ask the service's support. [VG5210]",
    notFoundUnconfirmed: `{request} returned 404, but the list that would confirm that {id} was deleted cannot be read. ${advice.kept} The list: {error} [VG5208]`,
    incompleteList:
        "{request}: the list could not be read completely ({why}). Ask the service's support how to list all objects.{error} [VG5209]",

    adopted: "importId is set: `pulumi up` adopts the {kind} with this id, and creates nothing. [VG6001]",
    noSuchObject:
        "{object} does not exist, or these credentials cannot see it. Check that the id is of this kind and environment. [VG6002]",
    adoptionFailed: "importId: {object} cannot be adopted, because its status is {status}. [VG6003]",
    heldElsewhere:
        "importId: the state has {object} as {holder}, which another provider serves: its removal would delete the object. Remove that record alone: {way}. Or, if the program no longer declares it: `VIDEOGRAPH_UNRECORDED={id} pulumi up`. [VG6012]",
    importHeld:
        "{object} is this resource's already, in the state as {holder}: a second record would delete it with the first. To move to the native types, change the program's import, and import nothing. Or remove that record alone: {way}. [VG6013]",
    managedElsewhere:
        "{object} is already managed by Pulumi as {owner} (project/stack/name).{way} From or to a library, or where no stack has it, set VIDEOGRAPH_UNRECORDED={id} for one run. [VG6004]",
    keptForOwner:
        "{object} was not deleted, only its record: its marker says that {owner} (project/stack/name) has adopted it. Delete it there, or in the service's dashboard. [VG6009]",
    changedHands:
        "{object} is not changed: its marker says that {owner} (project/stack/name) has adopted it. Remove it from this program. To take it back, set VIDEOGRAPH_UNRECORDED={id} for one run. [VG6010]",
    managedByItself:
        "importId: a replacement cannot adopt {object}, which this resource manages. Remove importId. [VG6006]",
    otherValues:
        "{object} exists with a different value for {properties}, which cannot be changed in place. Declare that value, or none. [VG6007]",
    adoptedReplaced: "{object} was adopted: it is replaced by a new one, and deleted. [VG6008]",

    notTrusted: `{object} returns 404, but it was recorded with other credentials or another base URL. Use those. ${trust} [VG6101]`,
    allNotFound:
        "{object} returns 404, like every object of this run so far. Nothing leaves the state. Check the credentials and baseUrl. If all were deleted, set VIDEOGRAPH_TRUST_NOT_FOUND=true for one run. [VG6103]",
    notFoundButListed: `{object} returns 404, but the list shows it. It stays in the state. Run again. ${trust} [VG6104]`,
    notTheSame:
        "{object} lacks its marker, and was recorded with other credentials or another base URL. Use those. If it is the same object, set VIDEOGRAPH_TRUST_NOT_FOUND=true for one run. [VG6102]",

    pluginNotInstalled:
        "pulumi-videograph cannot install its plugin in {folder} ({error}). If a plugin is missing next, add `{plugins}` to Pulumi.yaml, or set PULUMI_HOME. [VG8001]",
    importIdUnknown:
        "importId is not a property of this resource: set the resource option `import` to the id, or run `pulumi import` [VG8004]",
    unknownToken:
        "This provider has no resource type or function {token}: correct it{correction}, or install the same version of the SDK and the plugin. [VG8005]",
    notImportable:
        "This resource has no id to import. Declare it: a ContentLibrary adopts existing videos by the importId of its contents. [VG8008]",
    packageNotFound:
        "pulumi-videograph/native cannot find its package from {folder}: a bundle holds the code, and not the plugin. Add pulumi-videograph to the package.json there, and install it. [VG8009]",

    unexpected: "Unexpected error: {error} If it happens again, report it. [VG9001]",
} as const;

export const messages = templates(texts);

/**
 * Every message that resources, functions and settings can show: what happened, to which object, and what to do next. Those that only
 * commands show are in `cli/src/messages.ts`. A code keeps its meaning forever; a new message gets a new one. docs/guides/troubleshooting.md explains each code; codes of one section have the same first two digits.
 */
import { templates } from "./message";

/** Sentences that several messages end with. */
export const advice = {
    gateway: "Check baseUrl and any gateway or proxy, then try again.",
    awaited: "The content is kept. The next `pulumi up` continues to wait for it.",
    keyed: "an object whose keys name the videos, such as Object.fromEntries(list.map((video) => [video.slug, video])) in TypeScript: a position is no name",
    kept: "It stays in the state. Check baseUrl and any gateway or proxy. If it was deleted, set VIDEOGRAPH_TRUST_NOT_FOUND=true for one run.",
} as const;

/** Why a connection failed, by the code or the kind of the error. */
export const connectionFailures = {
    ECONNREFUSED:
        "the connection was refused; check the base URL, whether the service is running, and any proxy in HTTPS_PROXY or HTTP_PROXY",
    ENOTFOUND: "the host name is unknown; check the base URL and any proxy in HTTPS_PROXY or HTTP_PROXY",
    certificate:
        "the server's certificate is not trusted; set NODE_EXTRA_CA_CERTS to the certificate file of a private authority, and check the base URL",
    other: "the connection failed; check the network, the base URL and any proxy in HTTPS_PROXY or HTTP_PROXY",
} as const;

export const proxyAnswered = (status: string) =>
    `the proxy answered ${status} instead of connecting; check the proxy's address, credentials and rules, or add the host to NO_PROXY`;

/** The origin of the settings that a message blames; each is appended to that message. */
export const origins = {
    credentials: (place: string) =>
        `They come from ${place}. A plain \`pulumi refresh\` or \`destroy\` runs with the configuration of the last \`pulumi up\`.`,
    overriding: (place: string) => `They come from ${place}, which overrides the stack's configuration.`,
    baseUrl: (url: string, place: string) => `The base URL is ${url}, ${place}.`,
} as const;

/** Each with its code where it is shown. */
export const texts = {
    missingCredentials:
        "The Videograph credentials lack {missing}. Set {variables} in the environment, or set the stack configuration: {commands}. [VG1001]",
    baseUrlInvalid:
        "The base URL must be like {example}: it starts with https:// (http:// only for localhost, 127.0.0.1 and [::1]) and has no user name, password, query or fragment. [VG1002]",
    unauthorized:
        "{request}: the service does not accept the access token (HTTP {status}){said}. Check that accessTokenId and secretKey belong to the same token, and to this baseUrl. [VG1010]",
    forbidden:
        "{request}: the credentials are not allowed to do this (HTTP {status}){said}. Use an access token with the required permission, or add it to this token in the service's dashboard. [VG1011]",
    refusedBefore: "{request} was not sent, because it would be refused as well. {earlier} [VG1012]",
    redirected:
        "{request}: the service redirects (HTTP {status}){to}. That is not followed, because requests carry the credentials. Correct baseUrl. [VG1013]",
    defaultProviderName:
        "The name {name} is one that Pulumi gives to its default providers, so it is unknown whether its settings count, or {variables}. Give the provider another name, or unset the variables. [VG1014]",
    addressFromElsewhere:
        "Requests go to {url}, from {place}, but the credentials come from elsewhere. Make sure that they belong together: each request carries the credentials to that address. [VG1015]",
    otherAddress:
        "The plugin that a debugger has started sends the secret key of its environment only to the first base URL. Start it again, or give the provider a secretKey. [VG1016]",

    badInput: "{property} must be {expected} [VG2001]",
    requiredInput: "{input} is required ({form}) [VG2002]",
    reservedKey: "{key} is reserved: it names the stack that manages the object. Use another key [VG2003]",
    unknownValue:
        "{input} is not one of the known values ({known}). If it is a typo, correct it now: a later change replaces the resource. [VG2004]",
    repeatedItem:
        "{item} repeats {first}: only one {input} per {key} is allowed (case-insensitive). Remove one of the two [VG2005]",
    unknownInput: "{property} is not a known property: remove it, or correct it{correction} [VG2006]",
    outputAsInput: "{property} is an output, which the service makes: remove it [VG2050]",
    outputAsText:
        "{property} has the text of an Output or another object in place of its value: a string cannot be built of an Output. Use {fix}, or apply [VG2041]",
    hiddenQuery:
        "{property} has a query, which may be a credential, so {input} is shown as [secret]. Write the URL of the file itself, not of a page. If the query is only a version, leave it out and set sourceVersion. [VG2045]",
    signedSource:
        "{property} seems to be signed. Another signature makes it another source, which replaces the video. Set {version}: then only another {version} replaces it. [VG2051]",
    notLoadable:
        "pulumi-videograph cannot be loaded from {folder}, the folder of the Pulumi program. Add it to the dependencies in that folder's own package.json, and install it. [VG2010]",
    oldNode:
        "pulumi-videograph needs Node.js 22.19 or newer, but this is {version}. Install a newer one, or put it first on the PATH. [VG2011]",
    unknownSettings:
        "A function needs settings of its provider that this preview does not know yet. Use the function's Output form (such as getContentsOutput), which waits for them. [VG2012]",
    foreignProvider:
        "The provider of this function is no Provider of pulumi-videograph. Pass one of that class; for a native Provider, call the function of the same name in pulumi-videograph/native. [VG2038]",
    importOption:
        '{kind} "{name}": this resource cannot be imported with the resource option `import`. Set the input importId to the id instead: the existing object is adopted by the next `pulumi up`. [VG2013]',
    importIdChanged:
        "importId names a different object than {object}, which this resource manages, and cannot be changed. Remove importId, or declare a second resource for the other object. [VG2020]",
    importIdReplaced:
        "{properties}: this change requires a replacement, but a resource with importId cannot be replaced. Remove importId from the program first; the object stays managed. [VG2022]",
    replacementImpossible:
        "{object} requires replacement ({properties}), but creating a new one requires {missing}. Declare {missing}, or undo the change. Until then `pulumi up` fails. [VG2024]",
    newerState:
        "The state of this resource was written by a newer version of pulumi-videograph (format {version}). Upgrade the package. [VG2025]",
    keyLost: "{input} has the key __proto__, which is lost on the way to the provider. Rename the key. [VG2028]",
    importIdTwice:
        "importId: {other} of this program manages or adopts the same object. Remove one of the two [VG2023]",
    adoptedTwice:
        "{id} is managed by this resource, and {other} of this program adopts it. Remove one of the two. [VG2029]",
    libraryForm: "declare exactly one of contents and catalogue: neither null nor both [VG2030]",
    catalogueLine: "catalogue, line {line} is not a JSON object with a key [VG2031]",
    libraryKey:
        "{entry} needs another key: a key must be unique, must not be empty, and must not contain `/` or `::` [VG2032]",
    libraryProblems: "and {count} more problems in other entries [VG2033]",
    libraryChanges: "Contents of the library: {changes}. [VG2034]",
    libraryTooManyDeletes:
        "This update would delete or replace {count} of the {total} contents of the library, but maxDeletes allows only {most}: {keys}. If that is intended, set maxDeletes to at least {count}. [VG2035]",
    libraryEmptied:
        "The program declares no contents, but the library has {total}: {keys}. An update never empties a library. To delete them all, remove the resource from the program. [VG2036]",
    libraryPart:
        'ContentLibrary "{name}": {option} names a part of contents ({path}), but Pulumi receives all contents as one text. Name "contents". The native types accept paths in libraries of up to 200 contents. [VG2037]',

    attemptsFailed:
        "All {attempts} attempts to create this {object} failed, and no object with its marker was found. The last error: {error} The next `pulumi up` searches once more before it creates one. [VG3001]",
    createUnknown:
        "It is unknown whether the {object} was created: {error} `pulumi up`, on any machine, searches for it, and creates one only if there is none. `pulumi refresh` only searches. [VG3002]",
    listedUnreadable: "{object} is listed, but cannot be read yet. [VG3003]",
    createTimedOut:
        "The create timed out (customTimeouts.create). The next `pulumi up` searches for the object before it creates one. [VG3004]",
    foundAgain: "{object} was created by an earlier request and was found again. [VG3005]",
    supersededDeleted:
        "{object} was deleted: it was made by an interrupted create of this resource, is not in the state, and the program now declares different inputs. [VG3006]",
    notUpdated:
        "{object} exists, but updating it failed: {error} It is kept; the next `pulumi up` updates it. [VG3007]",
    listTooLong: "The list {list} is too long to be searched completely: the object may be further down. [VG3008]",
    pendingCreates:
        "An earlier run was interrupted while it created {resources}. The object may exist, and this run has neither used nor deleted it. Run `npx pulumi-videograph orphans` to find it. [VG3011]",
    keptAdopted: "{id} was kept and not deleted: a resource of the program manages it now. [VG3013]",
    interrupted: "The run was interrupted. Run the same command again to continue. [VG3014]",
    refusedForeign:
        "Nothing was created: {objects} may be another stack's. To adopt it: `VIDEOGRAPH_UNRECORDED={adopt} pulumi up`. To create another: `VIDEOGRAPH_UNRECORDED={leave} pulumi up`.{forget} [VG3016]",
    refusedLostMachine:
        "Nothing was created: an interrupted create may have made {objects}. To adopt it: `VIDEOGRAPH_UNRECORDED={adopt} pulumi up`. To create another: `VIDEOGRAPH_UNRECORDED={leave} pulumi up`.{forget} [VG3017]",
    refusedCredentials:
        "Nothing was created: an earlier create ({objects}) used other credentials. Use those, or, if both are of one environment, set VIDEOGRAPH_TRUST_NOT_FOUND=true. To create another: `VIDEOGRAPH_UNRECORDED=create pulumi up`.{forget} [VG3018]",
    forgetEntries: " If that was not this stack: `npx pulumi-videograph forget {entries}`. [VG3019]",
    leftAlone: "VIDEOGRAPH_UNRECORDED leaves {objects} alone: no resource of this stack manages it now. [VG3022]",
    adoptedAsItIs:
        "{object} was created with different inputs than the program declares, such as another source. It is adopted as it is. To replace it: pulumi up --replace '<urn>'. [VG3023]",
    searchFailed:
        "Nothing was created: the search for an earlier {object} failed: {error} `pulumi up` searches again. If you know better, set VIDEOGRAPH_UNRECORDED to its id or to `create`.{forget} [VG3024]",
    namedByUser: "{object} is adopted, because VIDEOGRAPH_UNRECORDED names it. [VG3025]",
    unrecordedInvalid:
        "VIDEOGRAPH_UNRECORDED must be a list, separated by commas, of ids to adopt and of ids to leave alone with a minus sign before them (each id once), or the single word `create` [VG3026]",
    unconfirmedSearched:
        "It is unknown whether an earlier run created this {object}: this update searches for it before it creates one. If the resource is protected, run `pulumi refresh`. [VG3027]",
    unconfirmedNotUpdated:
        "This {object} cannot be updated, because it is unknown whether an earlier run created it. Run `pulumi up` once more, or `pulumi refresh`: both search for it. [VG3028]",
    stillUnconfirmed:
        "It is still unknown whether an earlier run created this {object}: {error} The state keeps the create as unconfirmed. [VG3029]",
    neverCreated:
        "No earlier run created this {object}: its entry leaves the state, and the next `pulumi up` creates it. [VG3030]",
    notAsked:
        "Nothing was created: VIDEOGRAPH_UNRECORDED names {id}, which an earlier create of this resource has made, but nothing on this machine asks about it. To manage it, declare `importId` or run `pulumi import`. To create another: take it out of the list. [VG3031]",
    markerNotKept:
        "The service has not kept the ownership marker in the metadata of this object. If the answer to a create is lost, a second object may be made. Run `npx pulumi-videograph probe`. [VG3032]",
    journalUnusable:
        "The journal of pending creates cannot be used ({error}), so nothing was created. Make its folder readable and writable, or set VIDEOGRAPH_JOURNAL_DIR to another folder. [VG3020]",

    contentFailed:
        "Content {id} has the status {status}: {reason}. Fix the source (a public URL of an MP4, MOV or M4V file), then run `pulumi up`: it replaces the content. [VG4001]",
    contentReplaced: "Content {id} has Failed: it will be replaced. [VG4002]",
    contentRecovered: "Content {id} was Failed and is {status} now: it is kept, and no new one is created. [VG4012]",
    contentTimedOut:
        "Content {id} is not Ready after {time}: {last}. To allow more time, set the resource option {option}. [VG4003]",
    contentAwaited: "Content {id} was not Ready yet ({status}): this update waits for it. [VG4004]",
    contentInterrupted: "The run was interrupted before content {id} was Ready. [VG4005]",
    contentVanished:
        "Content {id} is {seen}. The id is not one of a content, or it was deleted (`pulumi up --refresh` creates it again), or the credentials are of another environment. [VG4006]",
    deletedBeforeReady:
        "waitForReady is false: {object} is deleted as soon as the new one is created, before the new one is Ready. [VG4008]",
    notAllReady:
        "{number} of {total} contents did not become Ready. Fix the sources of those that Failed, then run `pulumi up --refresh`: it replaces them. A plain `pulumi up` only waits again. [VG4009]{list}",
    notUpdatable:
        "{object} no longer exists, so it cannot be updated. Run `pulumi refresh`; the next `pulumi up` creates it again. [VG4011]",

    libraryFailed:
        "{number} of {total} contents of the library failed. Run the same command again to continue with the rest. [VG4030]{list}",
    libraryInterrupted:
        "The run was interrupted after {done} of {total} contents of the library. Run the same command again to continue with the rest. [VG4031]",
    libraryGone:
        "These contents were deleted outside of Pulumi: {keys}. The next `pulumi up` creates them again. [VG4032]",

    itemRemoved:
        "{input}: the program no longer declares {removed}, which cannot be removed from an existing object. {object} is replaced by a new one, with a new id and new URLs. [VG4020]",
    itemWithoutKey:
        "{item} has no {key}, so it cannot be added to an existing object. {object} is replaced by a new one, with a new id and new URLs. [VG4021]",
    replacedIfDifferent:
        "{properties}: not known in this preview, so a replacement is planned. {object} is only replaced if the value turns out to be a different one. [VG4029]",
    itemNeedsKey: "{item} needs {key}, because without it the item cannot be added to an existing object. [VG4022]",
    itemNotSet:
        "{object} exists, but {item} was not set: {error} It is kept; the next `pulumi up` updates it. [VG4023]",
    itemRefused:
        '{object} exists, but {item} was not set: {error} Its status is {status}: once it is Ready, run `pulumi up`. If the service never accepts this, set replaceOnChanges: ["{input}"]. [VG4026]',
    inputKept:
        "{input} was removed from the program. The service cannot unset it, so {object} keeps the last value. [VG4027]",
    thumbnailTooEarly:
        "thumbnail cannot be combined with waitForReady: false, because a thumbnail can only be set once the content is Ready. Remove one of the two [VG4028]",

    clipFailed:
        "Clip {id} has the status {status}: {reason}. Run `pulumi up`: it replaces the clip. If that fails as well, change its times, or ask the service's support. [VG4201]",
    sourceFailed:
        "No clip was created, because content {id}, its source, has the status {status}: {reason}. If this stack manages the content, run `pulumi up --refresh`: it replaces the content, then creates the clip. [VG4202]",
    sourceNotReady: "No clip was created, because its contentId names nothing that is Ready: {error} [VG4203]",
    clipOfItself: "contentId must name another content: a clip cannot be cut from itself [VG4204]",

    livestreamUnread:
        "Livestream {id} was created, but was not read completely: {error} It is kept. The next `pulumi up` continues with it. [VG4101]",
    livestreamReadLater: "Livestream {id} was not read completely after it was created: this update reads it. [VG4102]",
    livestreamLeaving:
        "Livestream {id} was not deleted within {time} (customTimeouts.delete). The service continues to delete it, and it counts as deleted. [VG4103]",

    connectionFailed: "{request}: {reason}. [VG5001]",
    proxyInvalid:
        "The proxy address in HTTPS_PROXY or HTTP_PROXY is not a valid URL. Write it as http://host:port, or unset it. [VG5003]",
    noAnswer:
        "{request}: no answer within {seconds} s. Try again; if it persists, check the network and the service's state. [VG5004]",
    noTurn: "{request} was not sent, because the operation timed out while waiting for a free connection. Give the operation more time, or try again with less parallelism. [VG5005]",
    rateLimit:
        "{request}: the service is still rate limiting requests (HTTP {status}){said}. Try again later, or with less parallelism. [VG5007]",
    serverError:
        "{request}: the service failed (HTTP {status}){said}. Try again later; if it persists, ask the service's support. [VG5008]",

    badRequest:
        "{request}: the service does not accept the request (HTTP {status}){said}. Correct the property that it names, or the one that was changed last. [VG5101]",
    conflict:
        "{request}: the request conflicts with the object's current state (HTTP {status}){said}. Wait until other changes to the object are done, then try again. [VG5103]",
    notFound:
        "{request}: the object does not exist, or these credentials cannot see it (HTTP {status}){said}. Check the identifier, and that the access token belongs to the object's environment. [VG5104]",
    refused:
        "{request}: the service refused the request (HTTP {status}){said}. Check baseUrl and the service's message. [VG5106]",
    emptyId: "{request} was not sent, because the id is empty or consists only of dots. [VG5107]",
    unconfirmedObject:
        "{request} was not sent, because it is unknown whether this object exists: its create ended in doubt. Run `pulumi up` or `pulumi refresh` for its resource first. [VG5109]",
    denied: "{request}: the service answered HTTP {status}, but the response body reports an error{code}{said}. Try again; if it persists, ask the service's support. [VG5108]",

    malformed:
        "{request}: the answer breaks the service's contract: {problem} (HTTP {status}){said}. Check that baseUrl is the service's; if it is, try again, then ask the service's support. [VG5201]",
    foreignAnswer:
        "{request}: the answer does not come from the service itself, but from a gateway, a proxy or another server (HTTP {status}){said}. {advice} [VG5207]",
    answeredTwice:
        "The answer to a create names {object}, which existed before or which another create made. A new object has an id of its own. Ask the service's support. [VG5210]",
    notFoundUnconfirmed: `{request} returned 404, but the list that would confirm that {id} was deleted cannot be read. ${advice.kept} The list: {error} [VG5208]`,
    incompleteList:
        "{request}: the list could not be read completely ({why}). Ask the service's support how to list all objects.{error} [VG5209]",

    adopted:
        "importId is set: `pulumi up` adopts the existing {kind} with this id, and fails if there is none. It creates nothing. [VG6001]",
    noSuchObject:
        "{object} does not exist, or these credentials cannot see it. Check the id, and that it is the id of an object of this kind. [VG6002]",
    adoptionFailed: "importId: {object} cannot be adopted, because its status is {status}. [VG6003]",
    managedElsewhere:
        "{object} is already managed by Pulumi as {owner} (project/stack/name). Move its record here: {way}. If it moves from or to a library, or no stack has it any more, set VIDEOGRAPH_UNRECORDED={id} for one run. [VG6004]",
    keptForOwner:
        "{object} was not deleted: its marker says that {owner} (project/stack/name) has adopted it. Only its record is removed. Delete it with that stack, or in the service's dashboard. [VG6009]",
    changedHands:
        "{object} is not changed: its marker says that {owner} (project/stack/name) has adopted it. Remove it from this program: the object stays. To take it back, set VIDEOGRAPH_UNRECORDED={id} for one run. [VG6010]",
    managedByItself:
        "importId: this resource already manages {object}, and a replacement cannot adopt it. Remove importId from the program. [VG6006]",
    otherValues:
        "{object} exists with a different value for {properties}, which cannot be changed in place. Declare the existing value, or none. [VG6007]",
    adoptedReplaced:
        "{object} was adopted: a new one is created from the declared inputs, and the adopted one is deleted. [VG6008]",

    notTrusted:
        "{object} returns 404, but it was recorded with other credentials or another base URL. Use those. If it was deleted, set VIDEOGRAPH_TRUST_NOT_FOUND=true for one run. [VG6101]",
    allNotFound:
        "{object} returns 404, like every object of this run so far: perhaps another environment. Nothing is removed from the state. Check the credentials and baseUrl. If all were deleted, set VIDEOGRAPH_TRUST_NOT_FOUND=true. [VG6103]",
    notFoundButListed:
        "{object} returns 404, but the list shows it. It stays in the state. Run again. If it was deleted, set VIDEOGRAPH_TRUST_NOT_FOUND=true for one run. [VG6104]",
    notTheSame:
        "{object} lacks its marker, and was recorded with other credentials or another base URL. Use those. If it is the same object, set VIDEOGRAPH_TRUST_NOT_FOUND=true for one run. [VG6102]",

    pluginNotInstalled:
        "pulumi-videograph cannot install its plugin in {folder} ({error}). If the next message reports a missing plugin, add `{plugins}` to Pulumi.yaml, or set PULUMI_HOME to a writable folder. [VG8001]",
    importIdUnknown:
        "importId is not a property of this resource: to import an existing object, set the resource option `import` to its id, or run `pulumi import` [VG8004]",
    unknownToken: "This provider has no resource type or function {token}. [VG8005]",
    notImportable:
        "This resource is no object of the service, so it has no id to import. Declare it: a ContentLibrary adopts existing videos by the importId of its contents. [VG8008]",

    unexpected: "Unexpected error: {error} If it happens again, please report it. [VG9001]",
} as const;

export const messages = templates(texts);

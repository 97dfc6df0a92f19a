/**
 * The part of mediabunny that the emulator uses. The build puts this part into this module's output, so that the library
 * is not installed with the emulator: it depends on `@types/dom-webcodecs`, which TypeScript includes in every project that has
 * it in `node_modules/@types`, and which contradicts TypeScript's own types.
 */
export {
    CmafOutputFormat,
    Conversion,
    EncodedPacketSink,
    FilePathSource,
    FilePathTarget,
    HlsOutputFormat,
    Input,
    MP4,
    Output,
    PathedTarget,
    QTFF,
} from "mediabunny";

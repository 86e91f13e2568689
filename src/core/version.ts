/** Baton's own version; a test holds it against package.json, so that no file has to be read at start-up. */
export const BATON_VERSION = '0.1.0';

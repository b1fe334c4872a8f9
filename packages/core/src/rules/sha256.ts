// In a separate file, so that bundlers that load it on demand still omit the other hashes of the package.
export { sha256 } from '@noble/hashes/sha2.js'

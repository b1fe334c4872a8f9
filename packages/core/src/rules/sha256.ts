// By itself, so that bundlers that load it late still leave out the other hashes of the package.
export { sha256 } from '@noble/hashes/sha2.js'

// This function has a file of its own, so that a bundle that loads it on demand does not contain the other hashes of
// the package.
export { sha256 } from '@noble/hashes/sha2.js'

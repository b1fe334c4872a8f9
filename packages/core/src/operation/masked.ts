/** Replaces a secret in a response. A patch that contains this text does not change the secret. */
export const masked = '********'

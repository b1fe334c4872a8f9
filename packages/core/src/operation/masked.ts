/** What stands in an answer in the place of a secret. Sent back in a patch it leaves the secret as it is. */
export const masked = '********'

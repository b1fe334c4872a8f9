import { createToken } from './create-token.ts'
import { deleteToken } from './delete-token.ts'
import { getToken } from './get-token.ts'
import { listTokens } from './list-tokens.ts'
import { patchToken } from './patch-token.ts'
import { resetToken } from './reset-token.ts'

export const tokenOperations = [listTokens, createToken, getToken, patchToken, deleteToken, resetToken] as const

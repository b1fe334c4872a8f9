import { createWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { getWebhook } from './get-webhook.ts'
import { listWebhooks } from './list-webhooks.ts'
import { patchWebhook } from './patch-webhook.ts'

export const webhookOperations = [listWebhooks, createWebhook, getWebhook, patchWebhook, deleteWebhook] as const

import { requireOn, webhooks } from '../../models/webhooks/webhook.ts'
import { deliveryTask, webhookDeliveries } from '../../models/webhooks/webhook-delivery.ts'
import { entryId } from '../../operation/change-log/entry-id.ts'
import { operation } from '../../operation/operation.ts'
import { addressOf } from '../../rules/address.ts'
import { deliveryReferenceResponse, serializeDeliveryReference } from './webhook-delivery-response.ts'

export const testWebhook = operation({
  id: 'testWebhook',
  summary: 'Test a webhook by a signed message of the kind `ping`',
  method: 'POST',
  path: '/api/v2/webhooks/{id}/test',
  success: { status: 201, body: deliveryReferenceResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'updateOn', resource: 'webhook/{id}' },
  async handle(context, { params: { id } }) {
    const { tx, fail } = context
    const host = context.useHost()
    const now = context.readClock()
    const webhook = (await tx.get(webhooks, { id })) ?? fail('not_found')
    requireOn(webhook, fail)
    const delivery = entryId({ at: now, id: host.newId() })
    const orderingKey = addressOf(webhooks.resource({ id }))
    tx.enqueue(webhookDeliveries, { id }, [deliveryTask(delivery, orderingKey, { at: now, due: now, event: 'ping' })])
    const reference = serializeDeliveryReference(id, delivery)
    context.setLocation(reference._links.self?.href as string)
    return reference
  },
})

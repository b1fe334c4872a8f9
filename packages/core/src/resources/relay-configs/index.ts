import { relayConfigs as relayConfigDocuments } from '../../models/relay-configs/relay-config.ts'
import { resource } from '../../operation/resource.ts'
import * as operations from './operations.ts'

export const relayConfigs = resource({
  title: 'Relay Proxy configurations',
  description: 'Keys with which relays receive the environments that a policy allows, with their SDK keys.',
  kinds: [
    {
      shape: 'relay-proxy-config',
      noun: 'Relay Proxy configuration',
      actions: [
        'viewRelayProxyConfig',
        'createRelayAutoConfiguration',
        'updateRelayAutoConfigurationName',
        'updateRelayAutoConfigurationPolicy',
        'resetRelayAutoConfiguration',
        'deleteRelayAutoConfiguration',
      ],
    },
  ],
  collections: [relayConfigDocuments],
  operations: Object.values(operations),
  parameters: {
    'resetRelayAutoConfig.expiry':
      'Time until which the old key works: integer ms since 1970, UTC. Default: the old key stops working immediately.',
  },
})

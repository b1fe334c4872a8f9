import { expectPolicy } from '@halyard/testing'

expectPolicy([{ effect: 'allow', resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] }])
  .can('updateOn', 'proj/web:env/test:flag/checkout')
  .cannot('updateOn', 'proj/web:env/production:flag/checkout')

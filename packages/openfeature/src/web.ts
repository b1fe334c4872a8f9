export {
  createHalyardWebProvider,
  type HalyardWebProvider,
  type HalyardWebProviderOptions,
} from './web/web-provider.ts'

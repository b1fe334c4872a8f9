import { isPublicAddress } from '@halyard/core/webhooks'

console.log(isPublicAddress('93.184.215.14'), isPublicAddress('10.0.0.1'), isPublicAddress('::1')) // true false false

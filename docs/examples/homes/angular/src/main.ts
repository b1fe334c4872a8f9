import { Component, importProvidersFrom, inject } from '@angular/core'
import { toSignal } from '@angular/core/rxjs-interop'
import { bootstrapApplication } from '@angular/platform-browser'
import { createHalyardWebProvider } from '@halyard/openfeature/web'
import { FeatureFlagService, OpenFeatureModule } from '@openfeature/angular-sdk'

const { environmentId = '' } = document.body.dataset
const provider = createHalyardWebProvider({ baseUrl: '', environmentId, stream: true })

@Component({
  selector: 'app-root',
  template: `<h1>{{ details()?.value ? 'the new shop' : 'the shop' }}</h1>`,
})
class Home {
  readonly details = toSignal(inject(FeatureFlagService).getBooleanDetails('checkout', false))
}

bootstrapApplication(Home, {
  providers: [importProvidersFrom(OpenFeatureModule.forRoot({ provider, context: { targetingKey: 'ann' } }))],
})

import type { Assistant, UpdateAssistantRequest } from '../../../../sdk/index.ts';
import { type ProviderForm, providerForm, providerRequest } from '../provider-fields.tsx';

export interface SettingsForm {
  provider: ProviderForm;
  /** None: all, those that come later included. */
  numberIds: string[];
  hours: Assistant['hours'];
  handOffLabels: string[];
  handOffMessage: string;
  /** Empty: nobody in particular. */
  handOffTeam: string;
  labels: string[];
  lookUpContact: boolean;
  debounceSeconds: number;
  conversationTokenBudget: number;
  dailyTokenBudget: number;
}

export const settingsOf = (assistant: Assistant): SettingsForm => ({
  provider: providerForm(assistant.provider),
  numberIds: assistant.numberIds === 'all' ? [] : assistant.numberIds,
  hours: assistant.hours,
  handOffLabels: assistant.handOff.labels,
  handOffMessage: assistant.handOff.message ?? '',
  handOffTeam: assistant.handOff.teamId ?? '',
  labels: assistant.tools.labels,
  lookUpContact: assistant.tools.lookUpContact,
  debounceSeconds: assistant.debounceSeconds,
  conversationTokenBudget: assistant.conversationTokenBudget,
  dailyTokenBudget: assistant.dailyTokenBudget,
});

const message = (text: string) => (text.trim() === '' ? null : text.trim());

/** The changes; what the form does not show stays as it is. */
export const changesOf = (form: SettingsForm, assistant: Assistant): UpdateAssistantRequest => ({
  provider: providerRequest(form.provider),
  numberIds: form.numberIds.length === 0 ? 'all' : form.numberIds,
  hours: form.hours,
  handOff: {
    labels: form.handOffLabels,
    teamId: form.handOffTeam === '' ? null : form.handOffTeam,
    message: message(form.handOffMessage),
  },
  tools: { ...assistant.tools, labels: form.labels, lookUpContact: form.lookUpContact },
  debounceSeconds: form.debounceSeconds,
  conversationTokenBudget: form.conversationTokenBudget,
  dailyTokenBudget: form.dailyTokenBudget,
});

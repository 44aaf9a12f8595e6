import type { Words } from '../../../words/texts.ts';

export const inboxAssistant: Words['inboxAssistant'] = {
  assistant: 'Assistente',
  active: '{name} responde aqui.',
  answering: '{name} está prestes a responder …',
  paused: '{name} está em pausa aqui: a equipe responde.',
  off: '{name} não responde aqui.',
  why: 'Por que esta resposta',
  loading: 'Um momento …',
  gone: 'Já não se guarda como ela surgiu.',
  sources: 'Fontes',
  noSources: 'Só com as instruções: nenhum documento foi usado.',
  handedOff: 'Com isto passou a conversa para pessoas.',
  tools: 'Ferramentas: {names}',
  tokens: '{read} tokens lidos, {written} escritos',
  costs: 'custa {cost}',
  seconds: 'em {seconds} s',
  actions: {
    take_over: 'Assumir',
    pause: 'Pausar',
    hand_off: 'Pedir que transfira',
    resume: 'Deixar que responda',
  },
};

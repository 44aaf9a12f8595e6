import type { Words } from '../../../words/texts.ts';

export const inboxAssistant: Words['inboxAssistant'] = {
  assistant: 'Assistente',
  active: '{name} responde aqui.',
  answering: '{name} está prestes a responder…',
  paused: '{name} está em pausa aqui.',
  off: '{name} não responde aqui.',
  why: 'Por que esta resposta?',
  loading: 'Carregando…',
  gone: 'Os detalhes não estão mais guardados.',
  sources: 'Fontes',
  noSources: 'Só com as instruções: nenhum documento foi usado.',
  handedOff: 'Depois transferiu a conversa para uma pessoa.',
  tools: 'Ferramentas: {names}',
  tokens: '{read} tokens de entrada, {written} de saída',
  seconds: 'em {seconds} s',
  actions: {
    take_over: 'Assumir',
    pause: 'Pausar',
    hand_off: 'Transferir',
    resume: 'Retomar',
  },
};

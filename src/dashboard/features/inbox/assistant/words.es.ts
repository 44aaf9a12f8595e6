import type { Words } from '../../../words/texts.ts';

export const inboxAssistant: Words['inboxAssistant'] = {
  assistant: 'Asistente',
  active: '{name} responde aquí.',
  answering: '{name} está a punto de responder…',
  paused: '{name} está en pausa aquí.',
  off: '{name} no responde aquí.',
  why: 'Por qué respondió esto',
  loading: 'Cargando…',
  gone: 'Los detalles ya no se conservan.',
  sources: 'Fuentes',
  noSources: 'Solo con sus instrucciones: no usó ningún documento.',
  handedOff: 'Después derivó la conversación a una persona.',
  tools: 'Herramientas: {names}',
  tokens: '{read} tokens de entrada, {written} de salida',
  seconds: 'en {seconds} s',
  actions: {
    take_over: 'Tomar la conversación',
    pause: 'Pausar',
    hand_off: 'Derivar',
    resume: 'Reanudar',
  },
};

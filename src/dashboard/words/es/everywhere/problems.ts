import type { Words } from '../../texts.ts';

export const problems: Words['problems'] = {
  title: 'No ha funcionado',
  requestId: 'Id de la petición',
  unreachable:
    'No se ha podido contactar con la pasarela. No se ha cambiado nada. Comprueba tu conexión y reinténtalo.',
  timeout: 'La pasarela ha tardado demasiado en responder. Mira si el cambio se hizo antes de reintentarlo.',
  forbidden: 'Tu rol no lo permite. Pídeselo a un propietario o administrador de la cuenta.',
  notFound: 'Esto ya no está. Puede que alguien lo haya eliminado.',
  conflict: 'No encaja con el estado actual, así que no se ha cambiado nada.',
  quota: 'Los mensajes de este mes se han agotado. Empiezan de nuevo el {date}.',
  rateLimited:
    'Demasiadas peticiones a la vez. Espera {seconds, plural, one {# segundo} other {# segundos}} y reinténtalo.',
  invalid: 'Algunos campos necesitan otro valor. Lo que escribiste sigue aquí.',
  recipient: 'No se puede escribir a este destinatario.',
  noSender: 'Ningún número puede enviar ahora. Conecta uno y reinténtalo.',
  signedOut: 'Tu sesión ha terminado. Vuelve a entrar.',
  internal: 'Algo ha fallado en la pasarela. No se ha perdido lo que escribiste; reinténtalo.',
  said: 'La pasarela dice: {message}',
};

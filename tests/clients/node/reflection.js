// The descriptors of a server's services, by gRPC server reflection; and the few of Google's that it takes to ask for
// them and to read the details of an error. Nothing here is generated.

import { createFileRegistry, fromBinary, fromJson } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";

const field = (name, number, type, more) => ({ name, number, type: `TYPE_${type}`, label: "LABEL_OPTIONAL", ...more });
const repeated = { label: "LABEL_REPEATED" };
const file = (description) =>
  createFileRegistry(fromJson(FileDescriptorProtoSchema, { syntax: "proto3", ...description }), () => undefined);

// As much of grpc/reflection/v1/reflection.proto as is asked for here.
const reflection = file({
  name: "reflection.proto",
  package: "grpc.reflection.v1",
  messageType: [
    {
      name: "ServerReflectionRequest",
      oneofDecl: [{ name: "message_request" }],
      field: [
        field("file_by_filename", 3, "STRING", { oneofIndex: 0 }),
        field("file_containing_symbol", 4, "STRING", { oneofIndex: 0 }),
      ],
    },
    { name: "FileDescriptorResponse", field: [field("file_descriptor_proto", 1, "BYTES", repeated)] },
    {
      name: "ServerReflectionResponse",
      field: [
        field("file_descriptor_response", 4, "MESSAGE", { typeName: ".grpc.reflection.v1.FileDescriptorResponse" }),
      ],
    },
  ],
  service: [
    {
      name: "ServerReflection",
      method: [
        {
          name: "ServerReflectionInfo",
          inputType: ".grpc.reflection.v1.ServerReflectionRequest",
          outputType: ".grpc.reflection.v1.ServerReflectionResponse",
          clientStreaming: true,
          serverStreaming: true,
        },
      ],
    },
  ],
});

// As much of google/rpc/error_details.proto.
export const BadRequest = file({
  name: "error_details.proto",
  package: "google.rpc",
  messageType: [
    {
      name: "BadRequest",
      nestedType: [
        { name: "FieldViolation", field: [field("field", 1, "STRING"), field("description", 2, "STRING")] },
      ],
      field: [
        field("field_violations", 1, "MESSAGE", { ...repeated, typeName: ".google.rpc.BadRequest.FieldViolation" }),
      ],
    },
  ],
}).getMessage("google.rpc.BadRequest");

// All that describes these services, their imports included. The transport must be one for streams both ways.
export async function describe(transport, services) {
  const client = createClient(reflection.getService("grpc.reflection.v1.ServerReflection"), transport);
  const files = new Map();
  const ask = async (messageRequest) => {
    const requests = (async function* () {
      yield { messageRequest };
    })();
    for await (const answer of client.serverReflectionInfo(requests)) {
      for (const bytes of answer.fileDescriptorResponse?.fileDescriptorProto ?? []) {
        const found = fromBinary(FileDescriptorProtoSchema, bytes);
        files.set(found.name, found);
      }
    }
  };
  for (const service of services) {
    await ask({ case: "fileContainingSymbol", value: service });
  }
  const missing = () => [...files.values()].flatMap((f) => f.dependency).filter((name) => !files.has(name));
  for (let names = missing(); names.length > 0; names = missing()) {
    await ask({ case: "fileByFilename", value: names[0] });
    if (!files.has(names[0])) throw new Error(`the server does not describe ${names[0]}`);
  }
  return createFileRegistry(inOrder(files));
}

// A set in which every file comes after its imports, as the registry wants it.
function inOrder(files) {
  const done = new Set();
  const visit = (name) => {
    if (done.has(name)) return;
    files.get(name).dependency.forEach(visit);
    done.add(name);
  };
  [...files.keys()].sort().forEach(visit);
  const set = fromJson(FileDescriptorSetSchema, {});
  set.file = [...done].map((name) => files.get(name));
  return set;
}

//===- tests/runtime/server/protocol_test.cpp - messages and where they go ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/protocol/endpoint.h"
#include "runtime/protocol/frames.h"
#include "runtime/protocol/messages.h"

#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace specrt {
namespace {

namespace fs = std::filesystem;

/// A region with something of everything.
struct SampleRegion {
  const uint8_t Kinds[2] = {SPECRT_KIND_POINTER, SPECRT_KIND_I64};
  const char *Names[2] = {"A", "n"};
  specrt_symbol Symbols[2] = {{"sin", &Symbols}, {"weak", nullptr}};
  specrt_access Access{};
  specrt_loop Loop{.line = 7, .depth = 1, .trip_count = {}};
  specrt_cell Cell{.base = {SPECRT_BASE_ARGUMENT, 0, 0}, .begin = 8, .width = 4, .certain = 1};
  struct {
    specrt_function_file Head{{11, 12}, 4};
    char Bitcode[4] = {'B', 'C', 'f', 'n'};
  } File;
  const char *CalleeSymbols[1] = {"sin"};
  uint32_t Positions[1] = {0};
  specrt_callee Callee{"square", "square", &File.Head, CalleeSymbols, Positions, 1};
  specrt_place Place{"f", "a.c", 3, 9};
  specrt_memory_name Word{{SPECRT_BASE_ARGUMENT, 0, 0}, 8, "this->n"};
  specrt_region Region{};

  SampleRegion() {
    Region.name = "f:7";
    Region.function = "f";
    Region.file = "a.c";
    Region.line = 7;
    Region.flags = SPECRT_REGION_POLLS;
    Region.num_args = 2;
    Region.return_kind = SPECRT_KIND_I32;
    Region.arg_kinds = Kinds;
    Region.arg_names = Names;
    Region.bitcode = "BC\0x";
    Region.bitcode_size = 4;
    Region.bitcode_hash[0] = 1;
    Region.bitcode_hash[1] = 2;
    Region.entry_symbol = "f.region";
    Region.pipeline = "O3";
    Region.symbols = Symbols;
    Region.num_symbols = 2;
    Region.accesses = &Access;
    Region.num_accesses = 1;
    Region.loops = &Loop;
    Region.num_loops = 1;
    Region.cells = &Cell;
    Region.num_cells = 1;
    Region.callees = &Callee;
    Region.num_callees = 1;
    Region.title = "f:7, inlined into main";
    Region.places = &Place;
    Region.num_places = 1;
    Region.memory_names = &Word;
    Region.num_memory_names = 1;
  }
};

TEST(RegionMessage, ComesBackAsItWas) {
  const SampleRegion Sample;
  RegionMessage Sent(Sample.Region), Received;
  ASSERT_TRUE(restore(archive(Sent), Received));
  const ReceivedRegion There(std::move(Received));
  ASSERT_TRUE(There.isValid());
  const specrt_region &R = There.region();
  EXPECT_STREQ(R.name, "f:7");
  EXPECT_STREQ(R.title, "f:7, inlined into main");
  EXPECT_EQ(std::string(static_cast<const char *>(R.bitcode), R.bitcode_size),
            std::string("BC\0x", 4));
  EXPECT_EQ(R.bitcode_hash[1], 2U);
  ASSERT_EQ(R.num_args, 2U);
  EXPECT_STREQ(R.arg_names[1], "n");
  EXPECT_EQ(R.arg_kinds[0], SPECRT_KIND_POINTER);
  ASSERT_EQ(R.num_symbols, 2U);
  EXPECT_STREQ(R.symbols[0].name, "sin");
  EXPECT_TRUE(R.symbols[0].address);
  EXPECT_FALSE(R.symbols[1].address) << "it has none in the program";
  EXPECT_EQ(R.loops[0].line, 7U);
  EXPECT_EQ(R.cells[0].width, 4);
  ASSERT_EQ(R.num_callees, 1U);
  EXPECT_EQ(R.callees[0].file->bitcode_hash[1], 12U);
  EXPECT_EQ(std::string(reinterpret_cast<const char *>(R.callees[0].file + 1), 4), "BCfn");
  EXPECT_STREQ(R.callees[0].symbols[0], "sin");
  EXPECT_EQ(R.places[0].last_line, 9U);
  EXPECT_STREQ(R.memory_names[0].text, "this->n");
}

TEST(RegionMessage, WhatDoesNotFitTogetherIsNotValid) {
  const SampleRegion Sample;
  RegionMessage WithoutFile(Sample.Region);
  WithoutFile.Files.clear();
  EXPECT_FALSE(ReceivedRegion(std::move(WithoutFile)).isValid());
  RegionMessage WithoutName(Sample.Region);
  WithoutName.ArgNames.pop_back();
  EXPECT_FALSE(ReceivedRegion(std::move(WithoutName)).isValid());
}

TEST(Archive, NoPartOfAMessageIsOne) {
  const SampleRegion Sample;
  CompileRequest Request;
  Request.Region = RegionMessage(Sample.Region);
  Request.Assumed.Facts.resize(2);
  Request.Assumed.Facts[1].value = 7;
  Request.Assumed.Rows.push_back({.Loop = 3, .Rows = 5});
  Request.Assumed.Rows[0].Classes.resize(1);
  Request.Assumed.Rows[0].Classes[0].Deltas = {std::nullopt, 4};
  const std::string Bytes = archive(Request);
  CompileRequest Read;
  ASSERT_TRUE(restore(Bytes, Read));
  EXPECT_EQ(Read.Region.Bitcode, Request.Region.Bitcode);
  EXPECT_EQ(Read.Assumed.text(), Request.Assumed.text());
  EXPECT_EQ(Read.Assumed.Rows[0].Classes, Request.Assumed.Rows[0].Classes);
  for (size_t Size = 0; Size < Bytes.size(); ++Size) {
    CompileRequest Part;
    EXPECT_FALSE(restore(std::string_view(Bytes).substr(0, Size), Part)) << Size;
  }
  CompileRequest More;
  EXPECT_FALSE(restore(Bytes + "x", More));
}

TEST(Archive, DamagedNumbersAskForNoMemory) {
  const SampleRegion Sample;
  const std::string Bytes = archive(RegionMessage(Sample.Region));
  for (size_t I = 0; I < Bytes.size(); ++I)
    for (const char Value : {'\0', '\x7f', '\xff'}) {
      std::string Damaged = Bytes;
      Damaged[I] = Value;
      RegionMessage Read;
      if (restore(Damaged, Read)) // whatever it is now, looking at it does no harm
        (void)ReceivedRegion(std::move(Read)).isValid();
    }
}

class Connected : public testing::Test {
protected:
  int Ends[2] = {-1, -1};
  void SetUp() override { ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, Ends), 0); }
  void TearDown() override {
    close(Ends[0]);
    close(Ends[1]);
  }
  void sendAll(const std::string &Bytes) {
    ASSERT_EQ(write(Ends[0], Bytes.data(), Bytes.size()), static_cast<ssize_t>(Bytes.size()));
  }
  FrameReader Reader;
};

TEST_F(Connected, FramesComeInPieces) {
  const std::string Bytes = frameOf(MessageKind::Log, std::string("first")) +
                            frameOf(MessageKind::Candidate, std::string("second"));
  std::vector<std::string> Bodies;
  for (const char Byte : Bytes) {
    sendAll({Byte});
    ASSERT_TRUE(Reader.receive(Ends[1]));
    while (std::optional<Frame> Next = Reader.next())
      Bodies.push_back(Next->Body);
  }
  EXPECT_THAT(Bodies, testing::ElementsAre("first", "second"));
}

TEST_F(Connected, WhatIsNoFrameEndsIt) {
  sendAll("GET / HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(Reader.receive(Ends[1]));
  EXPECT_FALSE(Reader.next());
  EXPECT_FALSE(Reader.receive(Ends[1]));
}

TEST_F(Connected, TheEndOfTheStreamIsSeen) {
  EXPECT_TRUE(Reader.receive(Ends[1])) << "nothing is there yet";
  shutdown(Ends[0], SHUT_WR);
  EXPECT_FALSE(Reader.receive(Ends[1]));
  close(Ends[1]);
  Ends[1] = -1;
  EXPECT_FALSE(sendSome(Ends[0], "x", 1)) << "and raises no signal";
}

/// Who opened the connection may have handed it on, or have given up its rights.
TEST_F(Connected, WhatOtherUsersSendIsRefused) {
  announceSenders(Ends[1]);
  sendAll(frameOf(MessageKind::Log, std::string("mine")));
  EXPECT_TRUE(Reader.receive(Ends[1], /*OfThisUser=*/true));
  EXPECT_TRUE(Reader.next());
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can become another user";
  const pid_t Child = fork();
  if (Child == 0) {
    constexpr uid_t Nobody = 65534;
    const bool IsSent = setuid(Nobody) == 0 && write(Ends[0], "x", 1) == 1;
    _exit(IsSent ? 0 : 1);
  }
  int Status = -1;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  ASSERT_EQ(Status, 0);
  EXPECT_FALSE(Reader.receive(Ends[1], /*OfThisUser=*/true));
}

class EndpointTest : public testing::Test {
protected:
  std::string Folder = fs::temp_directory_path() / "specrt-endpoint-XXXXXX";
  void SetUp() override { ASSERT_TRUE(mkdtemp(Folder.data())); }
  void TearDown() override { fs::remove_all(Folder); }
};

TEST_F(EndpointTest, OneListensAndOthersFindIt) {
  Endpoint First(Folder, "same"), Second(Folder, "same"), Other(Folder, "another build");
  EXPECT_FALSE(Second.connect());
  Descriptor Listener, None;
  ASSERT_EQ(First.listen(Listener), Endpoint::Outcome::Listens) << First.problem();
  EXPECT_EQ(Second.listen(None), Endpoint::Outcome::IsTaken);
  EXPECT_TRUE(First.isReachable());
  const Descriptor Found = Second.connect();
  ASSERT_TRUE(Found);
  EXPECT_TRUE(isOfThisUser(Found.get()));
  EXPECT_FALSE(Other.connect());
  First.remove();
  EXPECT_FALSE(Second.connect());
}

TEST_F(EndpointTest, ANameThatWasLeftBehindIsNoServer) {
  {
    Endpoint Killed(Folder, "same");
    Descriptor Listener;
    ASSERT_EQ(Killed.listen(Listener), Endpoint::Outcome::Listens);
  }
  Endpoint Next(Folder, "same");
  EXPECT_FALSE(Next.connect());
  Descriptor Listener;
  EXPECT_EQ(Next.listen(Listener), Endpoint::Outcome::Listens);
  EXPECT_TRUE(Endpoint(Folder, "same").connect());
}

TEST_F(EndpointTest, AServerThatDoesNotComeToItIsNotWaitedFor) {
  Endpoint Stopped(Folder, "same");
  Descriptor Listener;
  ASSERT_EQ(Stopped.listen(Listener), Endpoint::Outcome::Listens);
  std::vector<Descriptor> Waiting;
  while (Descriptor Next = Endpoint(Folder, "same").connect()) {
    Waiting.push_back(std::move(Next));
    ASSERT_LT(Waiting.size(), 10'000U);
  }
  EXPECT_FALSE(Waiting.empty());
}

TEST_F(EndpointTest, DeepFoldersAreNoProblem) {
  std::string Deep = Folder;
  for (int I = 0; I < 20; ++I)
    Deep += "/a-folder-with-a-name";
  Endpoint First(Deep, "same");
  ASSERT_TRUE(First.good()) << First.problem();
  Descriptor Listener;
  ASSERT_EQ(First.listen(Listener), Endpoint::Outcome::Listens) << First.problem();
  EXPECT_TRUE(Endpoint(Deep, "same").connect());
}

TEST_F(EndpointTest, FoldersOfOthersAreNotUsed) {
  ASSERT_EQ(chmod(Folder.c_str(), 0777), 0);
  Endpoint Open(Folder, "same");
  EXPECT_FALSE(Open.good());
  EXPECT_THAT(Open.problem(), testing::HasSubstr("must belong to the user"));
  EXPECT_FALSE(Open.connect());
}

TEST_F(EndpointTest, SocketsOfOthersAreNotUsed) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  Endpoint First(Folder, "same");
  Descriptor Listener;
  ASSERT_EQ(First.listen(Listener), Endpoint::Outcome::Listens);
  for (const fs::directory_entry &Entry : fs::directory_iterator(Folder))
    if (Entry.is_socket())
      ASSERT_EQ(chown(Entry.path().c_str(), 65534, 65534), 0);
  EXPECT_FALSE(Endpoint(Folder, "same").connect());
}

} // namespace
} // namespace specrt
